// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    private let clock = SteppingClock()

    private func failure(of task: Task<WholeResponse, any Error>) async -> TransportFailure? {
        do {
            _ = try await task.value
            return nil
        } catch {
            return error as? TransportFailure
        }
    }

    @Test func givesUpOnASilentPeer() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        try await withTransport(server) { transport in
            let request = server.request(deadlines: .init(idle: .seconds(60)), clock: clock)
            let task = Task { try await transport.exchange(request) }
            try await server.waitForRequests(1)
            clock.advance(by: .seconds(61))
            let failure = await failure(of: task)
            #expect(failure?.kind == .timeout(.response))
            #expect(failure?.limit == .seconds(60))
            #expect(failure?.elapsed ?? .zero >= .seconds(60))
            let sentence = "waiting for the response of \(server.url) took longer than 1 min, 1 min 1 s in all"
            #expect(failure?.message == sentence)
            #expect(failure?.fate == .unknown)
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test("an informational response is a sign of life where the call's end bounds the wait", arguments: [true, false])
    func informational(isBounded: Bool) async throws {
        let early = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 3)
        let last = isBounded ? RawScript.Step.send("HTTP/1.1 204 No Content\r\n\r\n") : .hold
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .split(early, every: 27, pause: .milliseconds(100)), last]
        )
        try await withTransport(server) { transport in
            var request = server.request(deadlines: .init(idle: .seconds(60)), clock: clock)
            if isBounded { request.deadlines.total = clock.now.advanced(by: .seconds(3_600)) }
            // Together they are longer than the limit, and alone none is.
            request.onInformational = { [clock] _ in clock.advance(by: .seconds(40)) }
            let task = Task { [request] in try await transport.exchange(request) }
            let failure = await failure(of: task)
            #expect(failure?.kind == (isBounded ? nil : .timeout(.response)))
        }
    }

    @Test func givesUpOnABodyThatStops() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .hold]
        )
        try await withTransport(server) { transport in
            let request = server.request(deadlines: .init(idle: .seconds(60)), clock: clock)
            let response = try await transport.send(request)
            #expect(try await response.body.next()?.count == 5)
            let task = Task { try await response.body.next() }
            clock.advance(by: .seconds(61))
            let failure = await #expect(throws: TransportFailure.self) { try await task.value }
            #expect(failure?.kind == .timeout(.idle))
            let sentence = "waiting for more bytes from \(server.url) took longer than 1 min, 1 min 1 s in all"
            #expect(failure?.message == sentence)
        }
    }

    /// Advances the clock, with turns of the loop in between that check the time.
    private func whileTimePasses<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let mover = Task { [clock] in
            while !Task.isCancelled {
                clock.advance(by: .seconds(5))
                // The loop checks every 40 ms of real time; a slower check only makes the time seem to pass faster.
                try await Task.sleep(for: .milliseconds(60))
            }
        }
        defer { mover.cancel() }
        return try await body()
    }

    /// A server whose body never ends.
    private func tricklingServer(_ version: HTTPVersion) async throws -> LoopbackServer {
        var configuration = LoopbackServer.Configuration()
        if version == .http2 { configuration.http2 = .always }
        return try await LoopbackServer.start(configuration: configuration) { routes in
            routes.get("/") { _ in
                .stream { writer in
                    while true {
                        try await writer.write("x")
                        // Never silent for as long as the time limit.
                        try await Task.sleep(for: .milliseconds(10))
                    }
                }
            }
        }
    }

    @Test("a body that trickles is aborted", arguments: [HTTPVersion.http1, .http2])
    func aBodyThatTricklesIsGivenUp(_ version: HTTPVersion) async throws {
        let server = try await tricklingServer(version)
        try await withTransport(server) { transport in
            let minimum = MinimumRate(bytesPerSecond: 1_000)
            var request = server.request(deadlines: .init(idle: .seconds(3_600), minimumRate: minimum), clock: clock)
            request.httpVersion = version
            let failure = await whileTimePasses { [request] in await transport.failure(request) }
            #expect(failure?.kind == .timeout(.rate))
            #expect(failure?.limit == .seconds(30))
            #expect(failure?.message.contains("1000 bytes per second over 30 s") == true)
            try await server.waitForOpenConnections(version == .http2 ? 1 : 0)
        }
    }

    @Test("a deadline ends a body that trickles, no matter how long", arguments: [HTTPVersion.http1, .http2])
    func aDeadlineEndsWhatTrickles(_ version: HTTPVersion) async throws {
        let server = try await tricklingServer(version)
        try await withTransport(server) { transport in
            var deadlines = TransportDeadlines(idle: .seconds(3_600))
            deadlines.total = clock.now + .seconds(60)
            var request = server.request(deadlines: deadlines, clock: clock)
            request.httpVersion = version
            let failure = await whileTimePasses { [request] in await transport.failure(request) }
            #expect(failure?.kind == .timeout(.total))
            // The clock advances between the making of the deadline and the exchange.
            #expect(failure.map { .zero < $0.limit ?? .zero && $0.limit ?? .zero <= .seconds(60) } == true)
            try await server.waitForOpenConnections(version == .http2 ? 1 : 0)
        }
    }

    @Test func aPeerThatTakesNextToNothingIsGivenUp() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        try await withTransport(server) { transport in
            let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 1, count: 64 << 20)))
            let minimum = MinimumRate(bytesPerSecond: 1)
            let request = server.request(.post, body: body, deadlines: .init(minimumRate: minimum), clock: clock)
            let failure = await whileTimePasses { await transport.failure(request) }
            #expect(failure?.kind == .timeout(.rate))
        }
    }

    @Test("a server that thinks and a reader who pauses are not slow", arguments: [HTTPVersion.http1, .http2])
    func pauses(version: HTTPVersion) async throws {
        let gate = Gate()
        var configuration = LoopbackServer.Configuration()
        if version == .http2 { configuration.http2 = .always }
        let server = try await LoopbackServer.start(configuration: configuration) { routes in
            routes.get("/") { _ in
                try await gate.wait()
                return ServerResponse(body: [UInt8](repeating: 1, count: 8 << 20))
            }
        }
        try await withTransport(server) { transport in
            let minimum = MinimumRate(bytesPerSecond: 1)
            var request = server.request(deadlines: .init(minimumRate: minimum), clock: clock)
            request.httpVersion = version
            let response = try await whileTimePasses { [request] in
                async let response = transport.send(request)
                // Far more time than a period passes, in both pauses.
                try await Task.sleep(for: .milliseconds(800))
                gate.open()
                return try await response
            }
            // And here: the reader pauses for as long, before the first piece and in the middle.
            await whileTimePasses { try? await Task.sleep(for: .milliseconds(800)) }
            var count = 0
            while count < 4 << 20, let piece = try await response.body.next() { count += piece.count }
            // The clock moves meanwhile; nothing else may happen.
            await whileTimePasses { try? await Task.sleep(for: .milliseconds(800)) }
            while let piece = try await response.body.next() { count += piece.count }
            #expect(count == 8 << 20)
        }
    }

    @Test(
        "a request whose body stays open beside a silent server is given up",
        arguments: [HTTPVersion.http1, .http2],
        [nil, 1, 5] as [Int64?]
    )
    func openBody(version: HTTPVersion, length: Int64?) async throws {
        var configuration = LoopbackServer.Configuration()
        if version == .http2 { configuration.http2 = .always }
        let server = try await LoopbackServer.start(configuration: configuration) { routes in
            routes.post("/") { _ in .text("never") }
        }
        try await withTransport(server) { transport in
            let gate = Gate()
            defer { gate.open() }
            let body = StreamBody(length: length) { _, writer in
                try await writer.write(ByteChunk("x"))
                try await gate.wait()
            }
            var request = server.request(.post, body: .stream(body), deadlines: .init(idle: .seconds(60)), clock: clock)
            request.httpVersion = version
            // With all of its announced bytes, the server answers although the source goes on.
            if length == 1 { return try await transport.check(request, answers: "never") }
            let failure = await whileTimePasses { [request] in await transport.failure(request) }
            #expect(failure?.kind == .timeout(.idle))
            #expect(failure?.message.hasPrefix("waiting for more of the body to send to \(server.url) took") == true)
        }
    }

    @Test func aSignOfLifeStartsTheWaitAnew() async throws {
        let gates = [Gate(), Gate()]
        let server = try await LoopbackServer.start(
            raw: [
                .awaitHead, .gate(gates[0]), .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"), .gate(gates[1]),
                .send("lo"), .hold,
            ]
        )
        try await withTransport(server) { transport in
            let request = server.request(deadlines: .init(idle: .seconds(60)), clock: clock)
            let task = Task { try await transport.send(request) }
            try await server.waitForRequests(1)
            clock.advance(by: .seconds(50))
            gates[0].open()
            let response = try await task.value
            #expect(try await response.body.next()?.count == 3)
            clock.advance(by: .seconds(50))
            gates[1].open()
            #expect(try await response.body.next()?.count == 2)
            #expect(try await response.body.next() == nil)
        }
    }

    @Test func theWholeHasAnEnd() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        try await withTransport(server) { transport in
            let request = server.request(deadlines: .init(total: clock.now + .seconds(5)), clock: clock)
            let task = Task { try await transport.exchange(request) }
            try await server.waitForConnections(1)
            clock.advance(by: .seconds(6))
            let failure = await failure(of: task)
            #expect(failure?.kind == .timeout(.total))
            #expect(failure?.limit == .seconds(5))
            #expect(failure?.elapsed == .seconds(6))
            #expect(failure?.message == "the exchange with \(server.url) took longer than 5 s, 6 s in all")
        }
    }

    @Test func aDeadlineThatHasPassedFailsSoon() async throws {
        let server = try await LoopbackServer.start(raw: [.hold])
        try await withTransport(server) { transport in
            let request = server.request(deadlines: .init(total: .now - .seconds(1)))
            let failure = await transport.failure(request)
            #expect(failure?.kind == .timeout(.total))
            #expect(failure?.message.hasPrefix("the exchange with \(server.url) could not begin: ") == true)
        }
    }

    @Test func waitingInLineHasAnEnd() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 1
        try await withTransport(server, configuration) { transport in
            let holder = Task { try await transport.exchange(server.request()) }
            try await server.waitForRequests(1)
            let request = server.request(deadlines: .init(poolWait: .seconds(30)), clock: clock)
            let task = Task { try await transport.exchange(request) }
            // There is no other signal; a loop that only yields would occupy the threads.
            while try await transport.runningCount() < 2 { try await Task.sleep(for: .milliseconds(1)) }
            clock.advance(by: .seconds(31))
            let failure = await failure(of: task)
            #expect(failure?.kind == .timeout(.poolWait))
            let sentence = "waiting for a connection to \(server.url) took longer than 30 s, 31 s in all"
            #expect(failure?.message == sentence)
            #expect(failure?.fate == .unsent)
            holder.cancel()
            _ = try? await holder.value
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func connectingHasAnEnd() async throws {
        // Accepts, and never responds to the TLS handshake.
        let server = try await LoopbackServer.start(raw: [.hold])
        try await withTransport(server) { transport in
            var request = server.request(deadlines: .init(connect: .seconds(10)), clock: clock)
            request.origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
            let task = Task { try await transport.exchange(request) }
            try await server.waitForConnections(1)
            clock.advance(by: .seconds(10))
            let failure = await failure(of: task)
            #expect(failure?.kind == .timeout(.connect))
            #expect(failure?.limit == .seconds(10))
            #expect(failure?.message == "connecting to https://127.0.0.1:\(server.port) took longer than 10 s")
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func theConfigurationBoundsConnectingToo() async throws {
        let server = try await LoopbackServer.start(raw: [.hold])
        var configuration = NIOTransport.Configuration()
        configuration.connectTimeout = .milliseconds(100)
        try await withTransport(server, configuration) { transport in
            var request = server.request(deadlines: .init())
            request.origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
            #expect(await transport.failure(request)?.kind == .timeout(.connect))
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func aLimitBeyondAllTimeIsNone() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("here") } }
        var configuration = NIOTransport.Configuration()
        configuration.connectTimeout = .seconds(Int64.max)
        try await withTransport(server, configuration) { transport in
            let limits = TransportDeadlines(connect: .seconds(Int64.max), idle: .seconds(Int64.max))
            let response = try await transport.send(server.request(deadlines: limits))
            #expect(response.head.status == .ok)
        }
    }

    @Test func aConsumerThatPausesIsNotASilentPeer() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in
                .stream { writer in
                    for _ in 0..<64 { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                }
            }
        }
        try await withTransport(server) { transport in
            let request = server.request(deadlines: .init(idle: .seconds(60)), clock: clock)
            let response = try await transport.send(request)
            _ = try await server.waitForSendingToStall()
            clock.advance(by: .seconds(100))
            _ = try await server.waitForSendingToStall()
            var count = 0
            while let chunk = try await response.body.next() { count += chunk.count }
            #expect(count == 64 * 65_536)
        }
    }
}
