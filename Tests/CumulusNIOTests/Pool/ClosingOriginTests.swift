// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import NIOCore
import Testing

@testable import CumulusNIO

#if os(Linux)
import Glibc
#endif

/// Servers that close idle connections without notice, some of them after each response, as uWSGI's `--http-socket` does.
@Suite(.timeLimit(.minutes(10))) struct ClosingOriginTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Whether the transport has recorded that the server closes connections without notice.
    private func isExpectedToClose(_ server: LoopbackServer, _ transport: NIOTransport) async throws -> Bool {
        try await server.waitForOpenConnections(0)
        // The ends of connections are reported within the loop's next turns.
        try await transport.waitForConnections(all: 0, idle: 0)
        for engine in transport.engines {
            let isExpected = try await engine.eventLoop.submit {
                engine.memory(of: server.request().origin).idleLimit != nil
            }.get()
            if isExpected { return true }
        }
        return false
    }

    /// Lets the transport expect that a server closes idle connections without notice, immediately or after a time.
    private func expectToClose(
        _ origin: Origin,
        _ transport: NIOTransport,
        after limit: Duration = .zero
    ) async throws {
        for engine in transport.engines {
            try await engine.eventLoop.submit { engine.remember(origin) { $0.idleLimit = limit } }.get()
        }
    }

    /// The number of loops that expect it.
    private func expectations(_ origin: Origin, _ transport: NIOTransport) async throws -> Int {
        var count = 0
        for engine in transport.engines {
            if try await engine.eventLoop.submit({ engine.memory(of: origin).idleLimit != nil }).get() { count += 1 }
        }
        return count
    }

    /// A POST, which must not be sent twice.
    private func post(_ server: LoopbackServer, _ clock: SteppingClock) -> TransportRequest {
        server.request(.post, body: .bytes(ByteChunk("x")), clock: clock)
    }

    @Test("a server that closes after its response is recorded")
    func closedByServer() async throws {
        let server = try await LoopbackServer.start(raw: .response(Self.ok))
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            #expect(try await isExpectedToClose(server, transport))
        }
    }

    @Test(
        "a connection that ends as announced says nothing about its server",
        arguments: [
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        ]
    )
    func announced(_ answer: String) async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .send(answer), .hold])
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            #expect(try await !isExpectedToClose(server, transport))
        }
    }

    @Test("a connection that the client closes says nothing about its server")
    func closedByClient() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .send(Self.ok), .hold])
        try await withTransport(server) { transport in
            _ = try await transport.exchange(server.request(headers: [.connection: "close"]))
            #expect(try await !isExpectedToClose(server, transport))
        }
    }

    @Test("a cancelled request says nothing about its server")
    func cancelled() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        try await withTransport(server) { transport in
            let running = Task { try await transport.exchange(server.request()) }
            try await server.waitForRequests(1)
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(try await !isExpectedToClose(server, transport))
        }
    }

    @Test("a connection that goes on serving requests shows that the server keeps connections")
    func keptConnection() async throws {
        let steps: [RawScript.Step] = [.awaitHead, .send(Self.ok)]
        let server = try await LoopbackServer.start(raw: RawScript(steps + steps + steps + steps + [.hold]))
        try await withTransport(server) { transport in
            for _ in 0..<3 { try await transport.check(server.request(), answers: "ok") }
            let origin = server.request().origin
            try await expectToClose(origin, transport)
            try await transport.check(server.request(), answers: "ok")
            // The engine that has the connection has changed its mind.
            #expect(try await expectations(origin, transport) == transport.engines.count - 1)
        }
    }

    @Test("each POST to a server that closes after each response has its own connection, and few others stay open")
    func ownConnections() async throws {
        let steps = [[RawScript.Step]](repeating: [.awaitHead, .send(Self.ok)], count: 6)
        let server = try await LoopbackServer.start(raw: RawScript(steps.flatMap(\.self) + [.hold]))
        try await withTransport(server) { transport in
            try await expectToClose(server.request().origin, transport)
            // With a stopped clock, all connections stay just used.
            let clock = SteppingClock()
            for _ in 0..<6 { try await transport.check(post(server, clock), answers: "ok") }
            #expect(server.counts.connectionsAccepted == 6)
            try await transport.waitForConnections(all: 2, idle: 2)
        }
    }

    @Test("a server that has kept a connection does not close each one after a response", arguments: [false, true])
    func keptAnotherConnection(isKept: Bool) async throws {
        let gate = Gate()
        let steps: [RawScript.Step] = [.awaitHead, .send(Self.ok)]
        let server = try await LoopbackServer.start(rawFor: { number in
            if number > 1 { return RawScript(steps + [.awaitHead, .close]) }
            return RawScript((isKept ? steps + steps : []) + [.awaitHead, .gate(gate), .send(Self.ok), .hold])
        })
        try await withTransport(server) { transport in
            // With a stopped clock, the connections close immediately after their responses.
            let clock = SteppingClock()
            for _ in 0..<(isKept ? 2 : 0) { try await transport.check(server.request(clock: clock), answers: "ok") }
            async let long = transport.exchange(server.request(clock: clock))
            try await server.waitForRequests(isKept ? 3 : 1)
            try await transport.check(server.request(clock: clock), answers: "ok")
            #expect(await transport.failure(post(server, clock))?.kind == .connectionClosed)
            #expect(try await expectations(server.request().origin, transport) == (isKept ? 0 : 1))
            gate.open()
            #expect(try await long.text == "ok")
        }
    }

    @Test("a POST in line doesn't get a connection that the server is closing")
    func postInLine() async throws {
        let (response, end) = (Gate(), Gate())
        let server = try await LoopbackServer.start(rawFor: { number in
            number == 1
                ? [.awaitHead, .gate(response), .send(Self.ok), .gate(end), .close]
                : [.awaitHead, .send(Self.ok), .hold]
        })
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 1
        try await withTransport(server, configuration) { transport in
            try await expectToClose(server.request().origin, transport)
            let clock = SteppingClock()
            async let first = transport.exchange(post(server, clock))
            try await server.waitForRequests(1)
            async let second = transport.exchange(post(server, clock))
            try await transport.waitForWaiters(1)
            response.open()
            #expect(try await first.text == "ok")
            end.open()
            #expect(try await second.text == "ok")
            #expect(server.counts.connectionsAccepted == 2)
        }
    }

    @Test("a POST in line uses a connection that the server has kept")
    func keptForPostInLine() async throws {
        let response = Gate()
        let steps: [RawScript.Step] = [.awaitHead, .gate(response), .send(Self.ok)]
        let server = try await LoopbackServer.start(raw: RawScript(steps + steps + [.hold]))
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 1
        try await withTransport(server, configuration) { transport in
            let origin = server.request().origin
            try await expectToClose(origin, transport)
            let clock = SteppingClock()
            async let first = transport.exchange(post(server, clock))
            try await server.waitForRequests(1)
            async let second = transport.exchange(post(server, clock))
            try await transport.waitForWaiters(1)
            response.open()
            #expect(try await first.text == "ok")
            clock.advance(by: .seconds(1))
            #expect(try await second.text == "ok")
            #expect(server.counts.connectionsAccepted == 1)
            #expect(try await expectations(origin, transport) == transport.engines.count - 1)
        }
    }

    @Test("a POST avoids a connection that has been idle for about as long as the server keeps one; a GET does not")
    func idleLimit() async throws {
        let steps: [RawScript.Step] = [.awaitHead, .send(Self.ok)]
        let server = try await LoopbackServer.start(raw: RawScript(steps + steps + steps + [.hold]))
        try await withTransport(server) { transport in
            let origin = server.request().origin
            try await expectToClose(origin, transport, after: .seconds(5))
            let clock = SteppingClock()
            try await transport.check(post(server, clock), answers: "ok")
            clock.advance(by: .milliseconds(4_700))
            try await transport.check(server.request(clock: clock), answers: "ok")
            #expect(server.counts.connectionsAccepted == 1)
            clock.advance(by: .milliseconds(4_700))
            try await transport.check(post(server, clock), answers: "ok")
            #expect(server.counts.connectionsAccepted == 2)
            #expect(try await expectations(origin, transport) == transport.engines.count)
            // A connection that is older than that shows that the server keeps them for longer.
            clock.advance(by: .seconds(6))
            try await transport.check(post(server, clock), answers: "ok")
            #expect(server.counts.connectionsAccepted == 2)
            #expect(try await expectations(origin, transport) == transport.engines.count - 1)
        }
    }

    private static let largeBody = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 100_000)))

    @Test("a server that closes after it has taken a large request may not have read it")
    func largeRequest() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .awaitBytes(100_000), .send(Self.ok), .close]
        )
        try await withTransport(server) { transport in
            try await transport.check(server.request(.post, body: Self.largeBody), answers: "ok")
            try await transport.waitForConnections(all: 0, idle: 0)
            let origin = server.request().origin
            var memories: [OriginMemory] = []
            for engine in transport.engines {
                memories.append(try await engine.eventLoop.submit { engine.memory(of: origin) }.get())
            }
            #expect(memories.count { $0.leavesLargeBodies } == 1)
            // It says nothing about connections after other requests.
            #expect(memories.allSatisfy { $0.idleLimit == nil })
        }
    }

    @Test("after a large request to a server that may not read it, a POST takes another connection for 1 s")
    func afterLargeRequest() async throws {
        let server = try await LoopbackServer.start { routes in routes.post("/") { _ in .text("ok") } }
        try await withTransport(server) { transport in
            let origin = server.request().origin
            for engine in transport.engines {
                try await engine.eventLoop.submit { engine.remember(origin) { $0.leavesLargeBodies = true } }.get()
            }
            let clock = SteppingClock()
            var large = post(server, clock)
            large.body = Self.largeBody
            try await transport.check(large, answers: "ok")
            clock.advance(by: .milliseconds(999))
            try await transport.check(post(server, clock), answers: "ok")
            #expect(server.counts.connectionsAccepted == 2)
            // A small request was read.
            try await transport.check(post(server, clock), answers: "ok")
            clock.advance(by: .milliseconds(1))
            try await transport.check(large, answers: "ok")
            clock.advance(by: .seconds(1))
            try await transport.check(post(server, clock), answers: "ok")
            #expect(server.counts.connectionsAccepted == 2)
        }
    }

    #if os(Linux)
    @Test("a POST uses the idle connection of a server without room for a second one", arguments: [false, true])
    func withoutSecondConnection(hangs: Bool) async throws {
        let server = PlainServer(isUnix: false, backlog: 0)
        try await NIOTransport.withTransport(server.configuration) { transport in
            try await expectToClose(server.request().origin, transport)
            // With a stopped clock, the connection stays just used.
            let clock = SteppingClock()
            var post = server.request(.post, body: .bytes(ByteChunk("x")))
            post.clock = clock
            async let kept = blocking {
                let peer = server.accept()
                PlainServer.readHead(peer)
                _ = PlainServer.read(peer)
                // With a full accept queue, another connection hangs.
                let others = hangs ? (0..<4).map { _ in server.knock() } : []
                if !hangs { server.refuseConnections() }
                PlainServer.send(peer, Self.ok)
                return [peer] + others
            }
            #expect(try await transport.exchange(post).text == "ok")
            let descriptors = await kept
            async let answered: Void = blocking {
                PlainServer.readHead(descriptors[0])
                PlainServer.send(descriptors[0], Self.ok)
            }
            async let failure = transport.failure(post)
            if hangs {
                try await transport.waitForConnections(all: 2, idle: 1)
                clock.advance(by: .seconds(1))
            }
            #expect(await failure == nil)
            await answered
            for descriptor in descriptors { close(descriptor) }
        }
    }
    #endif
}
