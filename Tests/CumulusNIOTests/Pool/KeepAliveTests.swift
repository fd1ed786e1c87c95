// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct KeepAliveTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func keepsOneConnectionForOneRequestAfterAnother() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        try await withTransport(server) { transport in
            for _ in 0..<5 { try await transport.check(server.request(), answers: "ok") }
            #expect(server.counts.connectionsAccepted == 1)
            try await transport.waitForConnections(all: 1, idle: 1)
        }
    }

    @Test func waitsInLineAtTheMaximum() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start { routes in
            routes.get("/slow") { _ in
                try await gate.wait()
                return .text("slow")
            }
            routes.get("/") { _ in .text("ok") }
        }
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 1
        try await withTransport(server, configuration) { transport in
            async let slow = transport.exchange(server.request(.get, "/slow"))
            try await server.waitForRequests(1)
            async let quick = transport.exchange(server.request())
            gate.open()
            #expect(try await slow.text == "slow")
            let facts = try await quick.facts
            #expect(facts.isReused)
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test("bytes on an idle connection discard it", arguments: [false, true])
    func discardsAConnectionWithUnsolicitedBytes(_ isSecure: Bool) async throws {
        let gate = Gate()
        let tls = isSecure ? try ServerTLS.selfSigned() : nil
        var configuration = NIOTransport.Configuration()
        if let tls { configuration.tls.trustRoots = .pem(tls.rootPEM) }
        let server = try await LoopbackServer.start(
            tls: tls,
            rawFor: { number in
                number == 1
                    ? [
                        .awaitHead, .send(Self.ok), .gate(gate),
                        .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"),
                        .hold,
                    ]
                    : [.awaitHead, .send(Self.ok), .hold]
            }
        )
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "ok")
            try await transport.waitForConnections(all: 1, idle: 1)
            gate.open()
            try await transport.waitForConnections(all: 0, idle: 0)
            try await transport.check(server.request(), answers: "ok")
            #expect(server.counts.connectionsAccepted == 2)
        }
    }

    @Test("bytes after a response discard the connection")
    func discardsAConnectionWithAPoisonedQueue() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send(Self.ok + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"), .hold]
        )
        try await withTransport(server) { transport in
            for _ in 0..<2 { try await transport.check(server.request(), answers: "ok") }
            #expect(server.counts.connectionsAccepted == 2)
        }
    }

    @Test func discardsAConnectionThatTheServerCloses() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start(raw: [.awaitHead, .send(Self.ok), .gate(gate), .close])
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            gate.open()
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete])
    func replacesAStaleConnectionWithoutAWord(_ method: HTTPRequest.Method) async throws {
        // The first connection responds once, accepts the second request, and closes on it.
        let server = try await LoopbackServer.start(rawFor: { number in
            number == 1
                ? [.awaitHead, .send(Self.ok), .awaitHead, .close] : [.awaitHead, .send(Self.ok), .hold]
        })
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            let again = try await transport.attempt(server.request(method))
            #expect(again.text == "ok")
            #expect(!again.facts.isReused)
            #expect(server.counts.connectionsAccepted == 2)
        }
    }

    @Test("repetitions on a new connection count against the retry budget", arguments: [1, 2])
    func theBudgetPays(burst: Int) async throws {
        let busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
        let server = try await LoopbackServer.start(rawFor: { number in
            number == 1
                ? [.awaitHead, .send(Self.ok), .awaitHead, .close] : [.awaitHead, .send(busy), .awaitHead, .send(busy)]
        })
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched)
            let budget = RetryBudget(burst: burst, share: 0, perSecond: 0)
            site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero), budget: budget) }
            #expect(try await site.get().text == "ok")
            let failed = try await site.get()
            #expect(failed.attempts.count == burst + 1)
            #expect(failed.attempts.last?.retry?.obstacle == .budget(try RequestURL(server.url).origin))
        }
    }

    @Test func doesNotRepeatARequestThatIsNotIdempotent() async throws {
        let server = try await LoopbackServer.start(rawFor: { number in
            number == 1 ? [.awaitHead, .send(Self.ok), .awaitHead, .close] : [.awaitHead, .send(Self.ok), .hold]
        })
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            let failure = await transport.failure(server.request(.post, body: .bytes(ByteChunk("x"))))
            #expect(failure?.kind == .connectionClosed)
            #expect(failure?.fate == .unknown)
            #expect(server.counts.connectionsAccepted == 1)
            let key = try #require(HTTPField.Name("Idempotency-Key"))
            try await transport.check(server.request(.post, headers: [key: "1"]), answers: "ok")
        }
    }

    @Test func doesNotRepeatOnAConnectionThatWasNew() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .close])
        try await withTransport(server) { transport in
            #expect(await transport.failure(server.request())?.kind == .connectionClosed)
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func doesNotRepeatOnceAByteOfTheResponseCame() async throws {
        let server = try await LoopbackServer.start(rawFor: { _ in
            [.awaitHead, .send(Self.ok), .awaitHead, .send("HTTP/1.1 2"), .close]
        })
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            #expect(await transport.failure(server.request())?.kind == .connectionClosed)
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ])
    func closesAConnectionThatIsNotToBeKept(_ answer: String) async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .send(answer), .hold])
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            try await transport.waitForConnections(all: 0, idle: 0)
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func closesAfterARequestThatAsksForIt() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .send(Self.ok), .hold])
        try await withTransport(server) { transport in
            _ = try await transport.exchange(server.request(headers: [.connection: "close"]))
            try await server.waitForOpenConnections(0)
        }
    }

    @Test(
        "a connection is not used in the last second before the server's announced time",
        arguments: [
            ("timeout=1", 3), ("timeout=0, max=9", 3), ("timeout=100", 1), ("max=3, Timeout = 60", 1), ("x", 1),
        ]
    )
    func announcedTime(field: String, connections: Int) async throws {
        let answer = "HTTP/1.1 200 OK\r\nKeep-Alive: \(field)\r\nContent-Length: 2\r\n\r\nok"
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send(answer), .awaitHead, .send(answer), .awaitHead, .send(answer), .hold]
        )
        try await withTransport(server) { transport in
            for _ in 0..<3 { try await transport.check(server.request(), answers: "ok") }
            #expect(server.counts.connectionsAccepted == connections)
        }
    }

    @Test("after an error to a large body, which the server may not have read, another connection is used")
    func earlyError() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.post("/:status") { request in
                ServerResponse(HTTPResponse.Status(code: request.parameters["status"].flatMap { Int($0) } ?? 0))
            }
        }
        try await withTransport(server) { transport in
            let (small, large) = (ByteChunk("small"), ByteChunk([UInt8](repeating: 1, count: 100_000)))
            for (status, body, connections) in [(200, small, 1), (403, small, 1), (403, large, 1), (200, small, 2)] {
                _ = try await transport.exchange(server.request(.post, "/\(status)", body: .bytes(body)))
                #expect(server.counts.connectionsAccepted == connections)
            }
        }
    }

    @Test func largeBodiesShareOneConnection() async throws {
        let server = try await LoopbackServer.start { routes in routes.post("/") { _ in .text("ok") } }
        try await withTransport(server) { transport in
            let body = RequestBody.bytes(ByteChunk([UInt8](repeating: 65, count: 70_000)))
            for _ in 0..<20 { try await transport.check(server.request(.post, body: body), answers: "ok") }
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test(
        "no more idle connections are kept than allowed, and a few more are closed at once if many are allowed",
        arguments: [(2, 5, 2), (32, 33, 31)]
    )
    func idleLimit(_ limit: Int, _ requests: Int, _ kept: Int) async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in
                try await gate.wait()
                return .text("ok")
            }
        }
        var configuration = NIOTransport.Configuration()
        configuration.maximumIdleConnections = limit
        try await withTransport(server, configuration) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<requests { group.addTask { _ = try await transport.exchange(server.request()) } }
                try await server.waitForRequests(requests)
                gate.open()
                try await group.waitForAll()
            }
            try await transport.waitForConnections(all: kept, idle: kept)
            try await server.waitForOpenConnections(kept)
        }
    }

    @Test func closesConnectionsThatWereIdleForLong() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        var configuration = NIOTransport.Configuration()
        configuration.idleLifetime = .milliseconds(1)
        try await withTransport(server, configuration) { transport in
            _ = try await transport.exchange(server.request())
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func keepsOriginsApart() async throws {
        let one = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("one") } }
        let two = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("two") } }
        try await withTransport(one) { transport in
            for _ in 0..<2 {
                try await transport.check(one.request(), answers: "one")
                try await transport.check(two.request(), answers: "two")
            }
            try await transport.waitForConnections(all: 2, idle: 2)
        }
        await two.shutdown()
    }
}
