// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import Testing

@testable import CumulusNIO

/// Requests with a large head, which are sent when the server's settings have arrived (RFC 9113 section 6.5.2).
@Suite(.timeLimit(.minutes(10))) struct HTTP2SettingsWaitTests {
    /// Responds to all requests, and sends no settings.
    private static let withoutSettings: FrameServer.Reply = { _, frame in
        frame.isRequest ? HTTP2Bytes.answer(frame.stream, "ok") : []
    }

    private func large(_ request: TransportRequest) -> TransportRequest {
        var request = request
        request.headers[.authorization] = String(repeating: "t", count: 5_000)
        return request
    }

    private func waitForFrames(_ server: FrameServer) async throws {
        // Polls: the server has no signal for a frame.
        while server.frames.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func isShuttingDown(_ transport: NIOTransport) async throws -> Bool {
        for engine in transport.engines where try await engine.eventLoop.submit({ engine.drained == nil }).get() {
            return false
        }
        return true
    }

    @Test("the request fails if the server closes the connection before its settings")
    func closedBeforeSettings() async throws {
        try await FrameServer.during({ _, frame in frame.isSettings ? HTTP2Bytes.end : [] }) { server, transport in
            let failure = await server.accepting(upTo: 5) { await transport.failure(large(server.request())) }
            #expect(failure?.kind == .connectionClosed)
            #expect(failure?.fate == .unsent)
            #expect(failure?.connectionHadServed == false)
            #expect(server.connections == 1)
        }
    }

    @Test("the request fails with the reason if the server refuses the client after the handshake")
    func refusedCertificate() async throws {
        let (server, configuration) = try await FrameServer.startSecure(requiresCertificate: true) { _, _ in [] }
        defer { server.shutdown() }
        try await NIOTransport.withTransport(configuration) { transport in
            let failure = await server.accepting(upTo: 5) { await transport.failure(large(server.secureRequest())) }
            #expect(failure?.kind == .tls)
            #expect(failure?.message.contains("certificate") == true)
            #expect(server.connections == 1)
        }
    }

    @Test("the limit for silence ends the request at a server that sends nothing")
    func silentServer() async throws {
        try await FrameServer.during({ _, _ in [] }) { server, transport in
            let clock = SteppingClock()
            var request = large(server.request(idle: .seconds(5)))
            request.clock = clock
            request.deadlines.total = clock.now + .seconds(1_000)
            let running = Task { [request] in await transport.failure(request) }
            try await waitForFrames(server)
            let time = Task {
                while true {
                    // Time passes in small steps, between which the client looks at it.
                    try await Task.sleep(for: .milliseconds(1))
                    clock.advance(by: .seconds(1))
                }
            }
            let failure = await running.value
            time.cancel()
            #expect(failure?.kind == .timeout(.response))
            #expect(failure?.fate == .unsent)
        }
    }

    @Test("a graceful shutdown waits for the response")
    func gracefulShutdown() async throws {
        let server = try await FrameServer.start(Self.withoutSettings)
        defer { server.shutdown() }
        let transport = NIOTransport()
        let running = Task { try await transport.exchange(large(server.request())).text }
        try await waitForFrames(server)
        let text = try? await server.accepting(upTo: 5) {
            let shutdown = Task { await transport.shutdown(.graceful) }
            // Polls: the shutdown has no signal for its beginning.
            while try await !isShuttingDown(transport) { try await Task.sleep(for: .milliseconds(1)) }
            server.send(HTTP2Bytes.settings())
            defer { shutdown.cancel() }
            return try await running.value
        }
        #expect(text == "ok")
        #expect(server.connections == 1)
        await transport.shutdown(.immediate)
    }

    @Test("the request is sent where no idle connections are kept")
    func withoutIdleConnections() async throws {
        let server = try await FrameServer.start { connection, frame in
            frame.isSettings ? HTTP2Bytes.settings() : Self.withoutSettings(connection, frame)
        }
        defer { server.shutdown() }
        var configuration = NIOTransport.Configuration()
        configuration.maximumIdleConnections = 0
        try await NIOTransport.withTransport(configuration) { transport in
            let failure = await server.accepting(upTo: 5) { await transport.failure(large(server.request())) }
            #expect(failure == nil)
            #expect(server.connections == 1)
        }
    }

    @Test("requests that come later are sent after it, in their order")
    func laterRequests() async throws {
        try await FrameServer.during(Self.withoutSettings) { server, transport in
            var running = [Task { try await transport.exchange(large(server.request())).text }]
            try await waitForFrames(server)
            for number in 0..<3 {
                var request = server.request()
                request.target = "/\(number)"
                running.append(Task { [request] in try await transport.exchange(request).text })
            }
            server.send(HTTP2Bytes.settings())
            for exchange in running { #expect(try await exchange.value == "ok") }
            #expect(server.connections == 1)
            let sizes = server.frames.filter(\.frame.isRequest).map(\.frame.payload.count)
            #expect(sizes.count == 4 && sizes.max() == sizes.first)
        }
    }

    @Test("a request that is cancelled before the settings sends nothing, and leaves the connection to others")
    func cancelled() async throws {
        let reply: FrameServer.Reply = { _, frame in
            frame.isRequest ? HTTP2Bytes.settings() + HTTP2Bytes.answer(frame.stream, "ok") : []
        }
        try await FrameServer.during(reply) { server, transport in
            let running = Task { try await transport.exchange(large(server.request())).text }
            try await waitForFrames(server)
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
            try await transport.check(server.request(), answers: "ok")
            try await transport.check(large(server.request()), answers: "ok")
            #expect(server.connections == 1)
            #expect(!server.frames.contains { $0.frame.type == HTTP2Bytes.reset })
            #expect(server.frames.filter(\.frame.isRequest).map { $0.frame.payload.count > 3_000 } == [false, true])
        }
    }
}
