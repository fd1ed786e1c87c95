// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct NIOTransportTests {
    private func slowServer(_ gate: Gate) async throws -> LoopbackServer {
        try await LoopbackServer.start { routes in
            routes.get("/slow") { _ in
                try await gate.wait()
                return .text("slow")
            }
            routes.get("/") { _ in .text("ok") }
        }
    }

    @Test func theSharedTransportNeedsNoShutdown() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        try await NIOTransport.shared.check(server.request(), answers: "ok")
        await server.shutdown()
    }

    @Test func aGracefulShutdownLetsExchangesEnd() async throws {
        let gate = Gate()
        let server = try await slowServer(gate)
        let transport = NIOTransport()
        try await transport.check(server.request(), answers: "ok")
        let slow = Task { try await transport.exchange(server.request(.get, "/slow")) }
        try await server.waitForRequests(2)
        let shutdown = Task { await transport.shutdown() }
        while await transport.failure(server.request())?.kind != .shutdown {
            // There is no other signal; a loop that only yields would occupy the threads.
            try await Task.sleep(for: .milliseconds(1))
        }
        gate.open()
        #expect(try await slow.value.text == "slow")
        await shutdown.value
        try await server.waitForOpenConnections(0)
        #expect(await transport.failure(server.request())?.kind == .shutdown)
        await server.shutdown()
    }

    @Test func anImmediateShutdownEndsExchanges() async throws {
        let server = try await slowServer(Gate())
        let transport = NIOTransport()
        let slow = Task { await transport.failure(server.request(.get, "/slow")) }
        try await server.waitForRequests(1)
        await transport.shutdown(.immediate)
        #expect(await slow.value?.kind == .shutdown)
        try await server.waitForOpenConnections(0)
        await server.shutdown()
    }

    @Test func cancellingAGracefulShutdownMakesItImmediate() async throws {
        let server = try await slowServer(Gate())
        let transport = NIOTransport()
        let slow = Task { await transport.failure(server.request(.get, "/slow")) }
        try await server.waitForRequests(1)
        let shutdown = Task { await transport.shutdown() }
        shutdown.cancel()
        await shutdown.value
        #expect(await slow.value?.kind == .shutdown)
        await server.shutdown()
    }

    @Test func anOwnedTransportIsClosedBehindItsFunction() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        let escaped = try await NIOTransport.withTransport { transport in
            try await transport.check(server.request(), answers: "ok")
            return transport
        }
        #expect(await escaped.failure(server.request())?.kind == .shutdown)
        try await server.waitForOpenConnections(0)
        await server.shutdown()
    }

    @Test func lettingGoOfATransportClosesItsConnections() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        do {
            let transport = NIOTransport()
            try await transport.check(server.request(), answers: "ok")
        }
        try await server.waitForOpenConnections(0)
        await server.shutdown()
    }
}
