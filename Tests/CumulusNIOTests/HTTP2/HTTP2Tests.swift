// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

/// The version that is used, and how exchanges share a connection.
@Suite(.timeLimit(.minutes(10))) struct HTTP2Tests {
    private func configuration(_ http2: LoopbackServer.HTTP2Use) -> LoopbackServer.Configuration {
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = http2
        return configuration
    }

    private func withTLS(
        _ protocols: [String],
        _ routes: (inout Routes) -> Void = { $0.get("/") { _ in .text("ok") } },
        _ body: (LoopbackServer, NIOTransport) async throws -> Void
    ) async throws {
        var tls = try ServerTLS.selfSigned()
        tls.applicationProtocols = protocols
        let server = try await LoopbackServer.start(tls: tls, configuration: configuration(.negotiated), routes: routes)
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(tls.rootPEM)
        try await withTransport(server, configuration) { try await body(server, $0) }
    }

    private func withPlain(
        _ routes: (inout Routes) -> Void = { $0.get("/") { _ in .text("ok") } },
        _ body: (LoopbackServer, NIOTransport) async throws -> Void
    ) async throws {
        let server = try await LoopbackServer.start(configuration: configuration(.always), routes: routes)
        try await withTransport(server) { try await body(server, $0) }
    }

    private func request(
        _ server: LoopbackServer,
        _ version: HTTPVersion = .http2,
        _ target: String = "/",
        headers: HTTPFields = [:]
    ) -> TransportRequest {
        var request = server.request(.get, target, headers: headers)
        request.httpVersion = version
        return request
    }

    /// Expects that an exchange uses a protocol.
    private func check(
        _ transport: NIOTransport,
        _ request: TransportRequest,
        speaks name: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let facts = try await transport.exchange(request).facts
        #expect(facts.protocolName == name, sourceLocation: sourceLocation)
    }

    // MARK: Which version

    @Test func theHandshakeDecides() async throws {
        try await withTLS(["h2", "http/1.1"]) { server, transport in
            let response = try await transport.send(request(server, .automatic))
            #expect(response.head.protocolName == "HTTP/2")
            response.body.cancel()
            try await transport.check(request(server, .automatic), answers: "ok")
            #expect(server.counts.connectionsAccepted == 1)
        }
        try await withTLS(["http/1.1"]) { server, transport in
            try await check(transport, request(server, .automatic), speaks: "HTTP/1.1")
        }
        // A server without ALPN.
        try await withTLS([]) { server, transport in
            try await check(transport, request(server, .automatic), speaks: "HTTP/1.1")
        }
    }

    @Test func versionsNeverShareAConnection() async throws {
        try await withTLS(["h2", "http/1.1"]) { server, transport in
            for _ in 0..<2 {
                for (version, name) in [(HTTPVersion.http1, "HTTP/1.1"), (.automatic, "h2"), (.http2, "h2")] {
                    try await check(transport, request(server, version), speaks: name)
                }
            }
            #expect(server.counts.connectionsAccepted == 3)
        }
    }

    @Test(arguments: [["http/1.1"], []])
    func aServerWithoutHTTP2IsATypedFailureWhereItIsDemanded(protocols: [String]) async throws {
        try await withTLS(protocols) { server, transport in
            let failure = await transport.failure(request(server, .http2))
            #expect(failure?.kind == .unsupported || failure?.kind == .tls)
            #expect(failure?.fate == .unsent)
            #expect(server.counts.requestsBegun == 0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func plainConnectionsSpeakHTTP2OnDemandOnly() async throws {
        try await withPlain { server, transport in
            let facts = try await transport.exchange(request(server)).facts
            #expect(facts.protocolName == "h2" && !facts.isReused)
            #expect(facts.remoteAddress == "127.0.0.1:\(server.port)" && facts.phases.connect != nil)
            #expect(try await transport.exchange(request(server)).facts.isReused)
        }
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("ok") } }
        try await withTransport(server) { transport in
            try await check(transport, request(server, .automatic), speaks: "HTTP/1.1")
        }
    }

    @Test func anUpgradeGoesByHTTP1() async throws {
        try await withTLS(["h2", "http/1.1"]) { server, transport in
            let upgrading = request(server, .automatic, headers: [.connection: "upgrade", .upgrade: "other"])
            try await check(transport, upgrading, speaks: "HTTP/1.1")
        }
    }

    // MARK: Sharing

    @Test func manyExchangesShareOneConnection() async throws {
        let gate = Gate()
        try await withPlain { routes in
            routes.get("/:n") { request in
                try await gate.wait()
                return .text(request.parameters["n"] ?? "")
            }
        } _: { server, transport in
            try await withThrowingTaskGroup { group in
                for number in 0..<64 {
                    group.addTask {
                        try await transport.check(request(server, .http2, "/\(number)"), answers: "\(number)")
                    }
                }
                // All of them arrive before one is answered.
                try await server.waitForRequests(64)
                gate.open()
                try await group.waitForAll()
            }
            #expect(server.counts.connectionsAccepted == 1)
            try await transport.waitForConnections(all: 1, idle: 1)
        }
    }

    @Test func moreExchangesThanStreamsWaitInLine() async throws {
        try await withPlain { server, transport in
            try await withThrowingTaskGroup { group in
                for _ in 0..<300 { group.addTask { try await transport.check(request(server), answers: "ok") } }
                try await group.waitForAll()
            }
            // The server counts a response shortly after it has sent the last byte.
            try await server.wait(for: "300 answers") { $0.requestsAnswered == 300 }
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func onceTheHandshakeSaysHTTP2OneConnectionIsLeft() async throws {
        try await withTLS(["h2", "http/1.1"]) { server, transport in
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { try await transport.check(request(server, .automatic), answers: "ok") }
                }
                try await group.waitForAll()
            }
            try await transport.waitForConnections(all: 1, idle: 1)
        }
    }

    @Test func allWhoWaitForAConnectionFailWithIt() async throws {
        let server = try await LoopbackServer.start(raw: [.close])
        await server.shutdown()
        try await withTransport(server) { transport in
            await withTaskGroup { group in
                for _ in 0..<5 {
                    group.addTask {
                        let failure = await transport.failure(request(server))
                        #expect(failure?.kind == .connect, "\(String(describing: failure))")
                    }
                }
            }
            try await transport.waitForConnections(all: 0, idle: 0)
            #expect(try await transport.runningCount() == 0)
        }
    }

    @Test func anIdleConnectionIsClosedInTime() async throws {
        let server = try await LoopbackServer.start(configuration: configuration(.always)) {
            $0.get("/") { _ in .text("ok") }
        }
        var configuration = NIOTransport.Configuration()
        configuration.idleLifetime = .zero
        try await withTransport(server, configuration) { transport in
            try await transport.check(request(server), answers: "ok")
            try await transport.waitForConnections(all: 0, idle: 0)
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func aClosedConnectionIsReplaced() async throws {
        try await withPlain { server, transport in
            try await transport.check(request(server), answers: "ok")
            await server.closeConnections()
            try await transport.check(request(server), answers: "ok")
            #expect(server.counts.connectionsAccepted == 2)
        }
    }

    @Test func aGracefulShutdownLetsExchangesEnd() async throws {
        let gate = Gate()
        try await withPlain { routes in
            routes.get("/") { _ in
                try await gate.wait()
                return .text("ok")
            }
        } _: { server, transport in
            async let answer = transport.exchange(request(server))
            try await server.waitForRequests(1)
            async let done: Void = transport.shutdown()
            gate.open()
            #expect(try await answer.text == "ok")
            await done
            #expect(try await transport.connectionCounts().all == 0)
        }
    }

    @Test func silenceInABodyEndsItsStreamAlone() async throws {
        try await withPlain { routes in
            routes.get("/silent") { _ in .script([.chunk([1]), .hold]) }
            routes.get("/") { _ in .text("ok") }
        } _: { server, transport in
            let clock = SteppingClock()
            var silent = request(server, .http2, "/silent")
            silent.clock = clock
            let response = try await transport.send(silent)
            #expect(try await response.body.next()?.count == 1)
            // The silence counts from where it is waited for: time goes on until it is long enough.
            let ticking = Task {
                while !Task.isCancelled {
                    clock.advance(by: .seconds(21))
                    // Between two looks of the loop at its deadlines.
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            let failure = await #expect(throws: TransportFailure.self) { _ = try await response.body.next() }
            ticking.cancel()
            #expect(failure?.kind == .timeout(.idle))
            try await transport.check(request(server), answers: "ok")
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    // MARK: Flow

    @Test("an unread body holds only its own stream back")
    func unreadBody() async throws {
        try await withPlain { routes in
            routes.get("/endless") { _ in .script([.repeating([UInt8](repeating: 1, count: 16_384))]) }
            routes.get("/") { _ in .text("ok") }
        } _: { server, transport in
            let unread = try await transport.send(request(server, .http2, "/endless"))
            let sent = try await server.waitForSendingToStall()
            // The stream's window, and the buffers of the server's stream.
            #expect(sent < 3 << 20)
            try await transport.check(request(server), answers: "ok")
            // Reading opens the window again.
            var read = 0
            while read < 8 << 20, let chunk = try await unread.body.next() { read += chunk.count }
            unread.body.cancel()
            try await transport.check(request(server), answers: "ok")
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func cancelledDownloadsDontStarveTheConnection() async throws {
        try await withPlain { routes in
            routes.get("/endless") { _ in .script([.repeating([UInt8](repeating: 1, count: 16_384))]) }
            routes.get("/") { _ in .text("ok") }
        } _: { server, transport in
            // Together more than the connection's window.
            for _ in 0..<40 {
                let response = try await transport.send(request(server, .http2, "/endless"))
                _ = try await server.waitForSendingToStall(quiet: .milliseconds(20))
                response.body.cancel()
            }
            try await transport.check(request(server), answers: "ok")
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func bodiesOfEachKindGoOut() async throws {
        let bytes = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await withPlain { routes in
            routes.post("/") { request in .text("\(request.body == bytes)") }
        } _: { server, transport in
            let stream = StreamBody { _, writer in
                for start in stride(from: 0, to: bytes.count, by: 70_000) {
                    try await writer.write(ByteChunk(Array(bytes[start..<min(start + 70_000, bytes.count)])))
                }
            }
            try await withThrowingTaskGroup { group in
                for body in [RequestBody.bytes(ByteChunk(bytes)), .stream(stream), .bytes(ByteChunk(bytes))] {
                    var request = server.request(.post, body: body)
                    request.httpVersion = .http2
                    group.addTask { [request] in try await transport.check(request, answers: "true") }
                }
                try await group.waitForAll()
            }
        }
    }
}
