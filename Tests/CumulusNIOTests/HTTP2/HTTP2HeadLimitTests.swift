// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import NIOHPACK
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

/// Heads that a server may not accept: they end no other exchange (RFC 9113 section 10.5.1).
@Suite(.timeLimit(.minutes(10))) struct HTTP2HeadLimitTests {
    /// Responds to each request at its end; ends the connection of a large field section if asked to.
    private static func reply(limit: UInt32? = nil, endsAt size: Int = .max) -> FrameServer.Reply {
        { _, frame in
            if frame.isSettings { return HTTP2Bytes.settings(limit.map { [(UInt16(6), $0)] } ?? []) }
            if frame.isRequest, frame.payload.count >= size { return HTTP2Bytes.end }
            let ends = frame.flags & 1 == 1 && (frame.isRequest || frame.type == HTTP2Bytes.data || frame.type == 9)
            return ends ? HTTP2Bytes.answer(frame.stream, "ok") : []
        }
    }

    private func request(_ server: FrameServer, size: Int) -> TransportRequest {
        var request = server.request()
        request.headers[.authorization] = String(repeating: "t", count: size)
        return request
    }

    @Test(
        "a head beyond the announced limit fails alone, with an error that names the limit",
        arguments: [false, true]
    )
    func announcedLimit(isFirst: Bool) async throws {
        try await FrameServer.during(Self.reply(limit: 8_192)) { server, transport in
            if !isFirst { try await transport.check(server.request(), answers: "ok") }
            let failure = await transport.failure(request(server, size: 9_000))
            #expect(failure?.kind == .invalidRequest)
            #expect(failure?.fate == .unsent)
            let origin = server.request().origin
            let size = 9_000 + "authorization".utf8.count + 32 + HTTP2RequestHead.size(of: server.request(), host: nil)
            #expect(
                failure?.message
                    == "the request's header fields are \(size) bytes long, but \(origin) accepts at most 8192 "
                    + "over HTTP/2 (SETTINGS_MAX_HEADER_LIST_SIZE)"
            )
            try await transport.check(request(server, size: 7_000), answers: "ok")
            try await transport.check(server.request(), answers: "ok")
            #expect(server.connections == 1)
            #expect(server.frames.count { $0.frame.isRequest } == (isFirst ? 2 : 3))
        }
    }

    @Test("requests after a large head don't depend on the server having read it")
    func unreadHead() async throws {
        // Like lighttpd, it doesn't add the fields of a head that is too large to its compression table.
        let decoders = Mutex<[Int: HPACKDecoder]>([:])
        let reply: FrameServer.Reply = { connection, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            guard frame.isRequest else { return [] }
            if frame.payload.count > 4_000 { return HTTP2Bytes.answer(frame.stream, "refused") }
            return decoders.withLock { decoders in
                var decoder = decoders[connection] ?? HPACKDecoder(allocator: ByteBufferAllocator())
                var block = ByteBuffer(bytes: frame.payload)
                let fields = try? decoder.decodeHeaders(from: &block)
                decoders[connection] = decoder
                // COMPRESSION_ERROR.
                guard let fields else { return HTTP2Bytes.goAway(frame.stream, 9) }
                return HTTP2Bytes.answer(frame.stream, fields["x-first"].joined() + fields["x-second"].joined())
            }
        }
        try await FrameServer.during(reply) { server, transport in
            var small = server.request()
            small.headers[try #require(HTTPField.Name("X-First"))] = "1"
            try await transport.check(small, answers: "1")
            var large = small
            large.headers[try #require(HTTPField.Name("X-Large"))] = String(repeating: "l", count: 9_000)
            large.headers[try #require(HTTPField.Name("X-Second"))] = "2"
            try await transport.check(large, answers: "refused")
            try await transport.check(small, answers: "1")
            small.headers[try #require(HTTPField.Name("X-Second"))] = "2"
            for _ in 0..<2 { try await transport.check(small, answers: "12") }
            #expect(server.connections == 1)
        }
    }

    @Test("the limit counts 32 bytes more for each field", arguments: [0, 1])
    func exactLimit(excess: Int) async throws {
        let limit: UInt32 = 2_000
        try await FrameServer.during(Self.reply(limit: limit)) { server, transport in
            try await transport.check(server.request(), answers: "ok")
            let others = HTTP2RequestHead.size(of: request(server, size: 0), host: nil)
            let failure = await transport.failure(request(server, size: Int(limit) - others + excess))
            #expect((failure == nil) == (excess == 0))
        }
    }

    @Test("a head over 16 KiB has its own connection until the server has responded to one")
    func ownConnection() async throws {
        try await FrameServer.during(Self.reply()) { server, transport in
            let large = request(server, size: 20_000)
            try await whileSending(server, transport) {
                try await transport.check(large, answers: "ok")
                // The server's loop may count the first connection after the other one's loop has responded.
                try await eventually { server.connections == 2 }
                try await transport.check(large, answers: "ok")
                #expect(server.connections == 2)
            }
            let requests = server.frames.filter(\.frame.isRequest)
            #expect(requests.count == 3)
            // The server's loops may record the long request, the only one with a body, after the first large one.
            let long = requests.first { $0.frame.flags & 1 == 0 }?.connection
            let areShared = requests.filter { $0.frame.flags & 1 == 1 }.map { $0.connection == long }
            // The second one shares the connection of the long request.
            #expect(areShared == [false, true])
        }
    }

    @Test("what has ended a connection has its own afterwards, and those with small heads share one")
    func endedConnection() async throws {
        try await FrameServer.during(Self.reply(endsAt: 6_000)) { server, transport in
            let large = request(server, size: 12_000)
            try await transport.check(server.request(), answers: "ok")
            #expect(await transport.failure(large)?.kind == .connectionClosed)
            try await whileSending(server, transport) {
                #expect(await transport.failure(large)?.kind == .connectionClosed)
                try await transport.check(server.request(), answers: "ok")
            }
            #expect(server.connections == 3)
        }
    }

    @Test("a head that has ended a connection by GOAWAY has its own connection afterwards")
    func connectionEndedByGoAway() async throws {
        // ENHANCE_YOUR_CALM, and the request is not processed.
        let reply: FrameServer.Reply = { connection, frame in
            guard frame.isRequest, frame.payload.count >= 6_000 else { return Self.reply()(connection, frame) }
            return HTTP2Bytes.goAway(max(0, frame.stream - 2), 11)
        }
        try await FrameServer.during(reply) { server, transport in
            let large = request(server, size: 12_000)
            try await transport.check(server.request(), answers: "ok")
            #expect(await transport.failure(large)?.fate == .unprocessed)
            try await whileSending(server, transport) {
                #expect(await transport.failure(large) != nil)
                try await transport.check(server.request(), answers: "ok")
            }
            let requests = server.frames.filter(\.frame.isRequest)
            let shared = requests.first { $0.frame.flags & 1 == 0 }?.connection
            #expect(requests.count { $0.frame.payload.count >= 6_000 && $0.connection == shared } == 0)
            #expect(server.connections == 3)
        }
    }

    @Test("requests with heads over 16 KiB don't wait for each other's responses")
    func longPolls() async throws {
        let reply: FrameServer.Reply = { _, frame in frame.isSettings ? HTTP2Bytes.settings() : [] }
        try await FrameServer.during(reply) { server, transport in
            let polls = (0..<4).map { _ in Task { await transport.failure(request(server, size: 20_000)) } }
            while server.frames.count(where: { $0.frame.isRequest }) < 4 {
                // Polls: the server has no signal for a new connection.
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(server.connections == 4)
            for engine in transport.engines {
                let floods = try await engine.eventLoop.submit {
                    engine.slots.values.flatMap(\.shared).map { ($0.canOpen, $0.limits.streams) }
                }.get()
                // Each carries one exchange; what its peer may send late has the usual limits.
                #expect(floods.allSatisfy { !$0.0 && $0.1 == HTTP2Limits().streams })
            }
            for poll in polls {
                poll.cancel()
                _ = await poll.value
            }
        }
    }

    @Test("a server with TLS that speaks HTTP/1.1 has one connection for heads of all sizes")
    func http1() async throws {
        let (server, configuration) = try await FrameServer.startSecure(protocols: ["http/1.1"]) { _, _ in [] }
        defer { server.shutdown() }
        try await NIOTransport.withTransport(configuration) { transport in
            for size in [10, 20_000, 10] {
                var request = server.secureRequest()
                request.headers[.authorization] = String(repeating: "t", count: size)
                try await transport.check(request, answers: "plain")
            }
            #expect(server.plain.split(separator: "GET / HTTP/1.1").count == 3)
            #expect(server.connections == 1)
        }
    }

    @Test("requests that wait for the settings of a large one's connection are all sent then")
    func waitingRequests() async throws {
        try await FrameServer.during(Self.reply()) { server, transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    let request = request(server, size: number * 1_500)
                    group.addTask { try await transport.check(request, answers: "ok") }
                }
                try await group.waitForAll()
            }
            #expect(server.frames.count { $0.frame.isRequest } == 20)
        }
    }

    /// Does something while an exchange runs, which must get its response.
    private func whileSending(
        _ server: FrameServer,
        _ transport: NIOTransport,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let body = StreamBody { _, writer in
            try await writer.write(ByteChunk("first"))
            try await work()
            try await writer.write(ByteChunk("second"))
        }
        try await transport.check(server.request(body: .stream(body)), answers: "ok")
    }
}
