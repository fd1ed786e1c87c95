// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Testing

@testable import CumulusNIO

/// Answers that come before a request's body has been read, and what follows them on the connection.
@Suite(.timeLimit(.minutes(10))) struct HTTP2EarlyAnswerTests {
    private static let large = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 300_000)))
    private static let small = RequestBody.bytes(ByteChunk("small"))

    private static func refusal(_ stream: Int) -> [UInt8] {
        HTTP2Bytes.headers(stream, HTTP2Bytes.field(":status", "413"), ends: true)
    }

    /// A server that answers the first request of its first connection as soon as its head is there.
    private static func server(
        _ early: @escaping @Sendable (Int) -> [UInt8],
        afterwards: @escaping @Sendable (HTTP2Bytes) -> [UInt8]
    ) async throws -> FrameServer {
        try await FrameServer.start { connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            let isEnd = frame.stream > 0 && frame.flags & 1 == 1
            if connection > 1 { return isEnd ? HTTP2Bytes.answer(frame.stream, "ok") : [] }
            // With room for another request: the first one's body has used up the window.
            if frame.isRequest, frame.stream == 1 { return early(frame.stream) + HTTP2Bytes.windowUpdate(0, 1 << 20) }
            return afterwards(frame)
        }
    }

    @Test("the next request waits until the server has coped with the body's rest", arguments: [200, 413])
    func waits(status: Int) async throws {
        let server = try await Self.server { stream in
            status == 200 ? HTTP2Bytes.answer(stream, "no") : Self.refusal(stream)
        } afterwards: { frame in
            if frame.isPing { return frame.pong }
            return frame.stream == 3 && frame.flags & 1 == 1 ? HTTP2Bytes.answer(frame.stream, "ok") : []
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            let first = try await transport.exchange(server.request(body: Self.large))
            #expect(first.status == status && first.facts.isBodyCut)
            try await transport.check(server.request(body: Self.small), answers: "ok")
        }
        #expect(server.connections == 1)
        let frames = server.frames.map(\.frame)
        let reset = try #require(frames.firstIndex { $0.type == HTTP2Bytes.reset && $0.stream == 1 })
        let ping = try #require(frames.firstIndex { $0.isPing })
        let next = try #require(frames.firstIndex { $0.isRequest && $0.stream == 3 })
        #expect(reset < ping && ping < next)
    }

    @Test("a POST is not lost with a connection that breaks over the rest of another's body")
    func survives() async throws {
        let server = try await Self.server(Self.refusal) { frame in
            // It answers nothing any more, and ends with the next thing that it gets.
            frame.isPing || frame.isRequest ? HTTP2Bytes.end : []
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            #expect(try await transport.exchange(server.request(body: Self.large)).status == 413)
            try await transport.check(server.request(body: Self.small), answers: "ok")
        }
        #expect(server.connections == 2)
    }

    @Test("a body is not sent where the server has kept the credit for the last one's", arguments: [0, 30_000, 40_000])
    func keptCredit(returned: UInt32) async throws {
        let server = try await FrameServer.start { connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            if frame.isPing { return (returned > 0 ? HTTP2Bytes.windowUpdate(0, returned) : []) + frame.pong }
            if frame.stream > 0, frame.flags & 1 == 1 { return HTTP2Bytes.answer(frame.stream, "ok") }
            return connection == 1 && frame.isRequest && frame.stream == 1 ? Self.refusal(1) : []
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            #expect(try await transport.exchange(server.request(body: Self.large)).status == 413)
            try await transport.check(server.request(body: Self.small), answers: "ok")
        }
        // Less than half says nothing: a peer may return credit in halves of the window.
        #expect(server.connections == (returned > 32_767 ? 1 : 2))
    }

    @Test("a server that ends the stream itself needs no proof")
    func resetByServer() async throws {
        let server = try await Self.server { stream in
            Self.refusal(stream) + HTTP2Bytes.reset(stream, 0)
        } afterwards: { frame in
            frame.stream == 3 && frame.flags & 1 == 1 ? HTTP2Bytes.answer(frame.stream, "ok") : []
        }
        defer { server.shutdown() }
        try await NIOTransport.withTransport { transport in
            #expect(try await transport.exchange(server.request(body: Self.large)).status == 413)
            try await transport.check(server.request(body: Self.small), answers: "ok")
            #expect(!server.frames.contains { $0.frame.isPing })
        }
        #expect(server.connections == 1)
    }
}
