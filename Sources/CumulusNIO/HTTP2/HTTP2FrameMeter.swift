// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOHTTP2

/// Counts the peer's frames before NIOHTTP2 reads them, which silently drops unknown and late ones (T-41).
// Unchecked: touched on the connection's event loop only.
final class HTTP2FrameMeter: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var heads = HTTP2FrameHeads()
    private unowned let connection: HTTP2Connection

    /// Makes a meter in front of a connection, which outlives it in the same pipeline.
    init(_ connection: HTTP2Connection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let isFine = bytes.withUnsafeReadableBytes { raw in
            heads.scan(raw) { connection.allows($0) }
        }
        // Bytes that arrived with a flood are dropped with it.
        if isFine { context.fireChannelRead(data) } else { connection.breakOff(.flood, code: .enhanceYourCalm) }
    }
}

extension HTTP2Connection {
    /// Whether the number of frames is still acceptable with this one.
    func allows(_ head: HTTP2FrameHeads.Head) -> Bool {
        switch head.type {
        case 0, 1:
            if streams[HTTP2StreamID(head.streamID)] == nil {
                return head.type == 0 ? flood.allowsLate(head.length) : flood.allowsOverhead(at: .now)
            }
            if head.length > 0 { flood.noteProgress() }
            return true
        case 5, 9:
            // NIOHTTP2 counts these itself.
            return true
        default:
            return flood.allowsOverhead(at: .now)
        }
    }
}
