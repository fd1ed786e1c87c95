// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization
import Testing

@testable import CumulusNIO

/// Servers that count streams otherwise than the client, as lighttpd does: one that it refuses breaks its connection.
@Suite(.timeLimit(.minutes(10))) struct HTTP2StreamLimitTests {
    @Test("few streams are opened before the server has told how many it accepts", arguments: [nil, UInt32(9)])
    func beforeSettings(limit: UInt32?) async throws {
        let heads = Mutex(0)
        let server = try await FrameServer.start { _, frame in
            guard frame.isRequest else { return [] }
            let count = heads.withLock { heads in
                heads += 1
                return heads
            }
            if count < 8 { return [] }
            if count > 8 { return HTTP2Bytes.answer(frame.stream, "ok") }
            let values: [(UInt16, UInt32)] = if let limit { [(3, limit)] } else { [] }
            return HTTP2Bytes.settings(values) + (0..<8).flatMap { HTTP2Bytes.answer(2 * $0 + 1, "ok") }
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            try await withThrowingTaskGroup { group in
                for _ in 0..<30 { group.addTask { try await transport.check(server.request(), answers: "ok") } }
                try await group.waitForAll()
            }
        }
        #expect(server.connections == 1)
        let frames = server.frames.map(\.frame)
        let acknowledged = try #require(frames.firstIndex { $0.type == HTTP2Bytes.settings && $0.flags == 1 })
        #expect(frames[..<acknowledged].filter(\.isRequest).count == 8)
    }

    @Test("the place of a stream that was reset is taken when the server knows of it")
    func afterReset() async throws {
        let server = try await Self.server(limit: 2)
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            let running = [try await transport.send(server.request()), try await transport.send(server.request())]
            for response in running {
                response.body.cancel()
                try await transport.check(server.request(body: .bytes(ByteChunk("x"))), answers: "ok")
            }
        }
        #expect(server.connections == 1)
        let frames = server.frames.map(\.frame)
        let resets = frames.indices.filter { frames[$0].type == HTTP2Bytes.reset }
        let pings = frames.indices.filter { frames[$0].isPing }
        let heads = frames.indices.filter { frames[$0].isRequest }
        try #require(heads.count == 4 && resets.count == 2 && !pings.isEmpty)
        #expect(resets[0] < pings[0] && pings[0] < heads[2])
    }

    @Test("nobody waits for the answer to a reset while there is room")
    func room() async throws {
        let server = try await Self.server(limit: 4)
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            let running = [try await transport.send(server.request()), try await transport.send(server.request())]
            running[0].body.cancel()
            try await transport.check(server.request(body: .bytes(ByteChunk("x"))), answers: "ok")
            // A shutdown sends one of its own.
            #expect(!server.frames.contains { $0.frame.isPing })
            running[1].body.cancel()
        }
        #expect(server.connections == 1)
    }

    @Test("a server that tells nothing of the resets gets no more requests") func silence() async throws {
        let server = try await FrameServer.start { connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings([(3, 1)]) }
            guard frame.isRequest else { return [] }
            return connection == 1 ? HTTP2Bytes.headers(frame.stream) : HTTP2Bytes.answer(frame.stream, "ok")
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            try await transport.send(server.request()).body.cancel()
            try await transport.check(server.request(), answers: "ok")
        }
        #expect(server.connections == 2)
    }

    /// A server that begins an answer to each GET, and answers POSTs.
    private static func server(limit: UInt32) async throws -> FrameServer {
        try await FrameServer.start { _, frame in
            if frame.isSettings { return HTTP2Bytes.settings([(3, limit)]) }
            if frame.isPing { return frame.pong }
            if frame.isRequest, frame.flags & 1 == 1 { return HTTP2Bytes.headers(frame.stream) }
            let isEnd = frame.type == HTTP2Bytes.data && frame.flags & 1 == 1
            return isEnd ? HTTP2Bytes.answer(frame.stream, "ok") : []
        }
    }
}
