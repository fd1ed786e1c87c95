// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import NIOCore
import NIOHTTP2

extension ServerConnection {
    /// Treats a request with a fault in place of a response; always throws unless the peer disconnects first.
    func refuse(_ fault: ServerFault) async throws {
        switch fault {
        case .silence: try await Gate().wait()
        case .garbage: try await link.sendGarbage()
        case .goAway where link.isHTTP2: try await link.sendGoAway()
        case .resetStream(let code):
            guard link.isHTTP2 else { throw ServerResponse.Abort.reset }
            try await link.sendReset(code)
        default: break
        }
        throw ServerResponse.Abort.close
    }
}

extension ServerLink {
    /// Sends bytes that no client can parse, over HTTP/2 between the frames.
    fileprivate func sendGarbage() async throws {
        let garbage = Array("\u{16}\u{3}garbage \u{7F}\r\n\r\n".utf8) + [UInt8](repeating: 0xFF, count: 32)
        guard isHTTP2, let connection = channel.parent else { return try await send(garbage) }
        try await connection.eventLoop.flatSubmit {
            guard let context = try? connection.pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self)
            else { return connection.close() }
            let written = connection.eventLoop.makePromise(of: Void.self)
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: garbage)), promise: written)
            return written.futureResult
        }.get()
        try? await connection.close().get()
    }

    /// Reports that this stream, and those after it, are not processed.
    fileprivate func sendGoAway() async throws {
        let id = Int(try await channel.getOption(HTTP2StreamChannelOptions.streamID).get())
        try await send(
            HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: HTTP2StreamID(max(0, id - 2)), errorCode: .noError, opaqueData: nil)
            )
        )
    }

    fileprivate func sendReset(_ code: Int) async throws {
        let id = try await channel.getOption(HTTP2StreamChannelOptions.streamID).get()
        try await send(HTTP2Frame(streamID: id, payload: .rstStream(HTTP2ErrorCode(networkCode: code))))
    }

    private func send(_ frame: HTTP2Frame) async throws {
        guard let connection = channel.parent else { return }
        try await connection.writeAndFlush(frame).get()
    }
}
