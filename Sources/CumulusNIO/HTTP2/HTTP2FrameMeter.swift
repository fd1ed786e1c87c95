// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOHTTP2

/// Stands between the socket and NIOHTTP2: counts the peer's frames, of which NIOHTTP2 silently drops unknown and late
/// ones, and completes heads that don't fit into a frame.
// Unchecked: touched on the connection's event loop only.
final class HTTP2FrameMeter: ChannelDuplexHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var heads = HTTP2FrameHeads()
    private unowned let connection: HTTP2Connection

    /// Creates a meter in front of a connection, which outlives it in the same pipeline.
    init(_ connection: HTTP2Connection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        var refused: HTTP2FrameHeads.Head?
        let isFine = bytes.withUnsafeReadableBytes { raw in
            heads.scan(raw) { head in
                if connection.allows(head) { return true }
                refused = head
                return false
            }
        }
        // Bytes that arrived with a flood are dropped with it.
        if isFine { return context.fireChannelRead(data) }
        connection.breakOff(.flood(refused?.flood ?? .unknownFrames), code: .enhanceYourCalm)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Before NIOHTTP2 writes what it has kept for them.
        connection.resetEnded()
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let head = connection.takeLargeHead(), case .byteBuffer(let frame) = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        guard let frames = head.frames(completing: frame) else {
            // Without it the peer would read another request.
            promise?.fail(ChannelError.inappropriateOperationForState)
            return context.close(promise: nil)
        }
        context.write(wrapOutboundOut(.byteBuffer(frames)), promise: promise)
    }
}

extension HTTP2Connection {
    /// Whether the number of frames is still acceptable with this one.
    func allows(_ head: HTTP2FrameHeads.Head) -> Bool {
        switch head.type {
        case 0, 1:
            if streams[HTTP2StreamID(head.streamID)] == nil {
                return head.type == 0 ? flood.allowsLate(head.length) : flood.allowsLateSection(at: .now)
            }
            // Content counts when it is read: here padding looks the same.
            if head.type == 1, head.length > 0 { flood.noteProgress() }
            return true
        case 3: return flood.allowsReset(at: .now)
        case 5, 9:
            // NIOHTTP2 counts these itself.
            return true
        case 8: return flood.allowsUpdate(ofStream: head.streamID > 0, at: .now)
        default: return flood.allowsOverhead(at: .now)
        }
    }
}

extension HTTP2FrameHeads.Head {
    /// What there is too much of when this frame is one too many.
    var flood: HTTP2Flood {
        switch type {
        case 0: .lateContent
        case 1: .lateSections
        case 2: .priorities
        case 3: .resets
        case 4: .settings
        case 6: .pings
        case 7: .ends
        case 8: .windowUpdates
        default: .unknownFrames
        }
    }
}
