// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct ShutdownTests {
    @Test("a graceful shutdown closes idle connections of all loops while one of them has a running exchange")
    func allLoopsAtOnce() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start { routes in
            routes.get("/slow") { _ in
                try await gate.wait()
                return .text("slow")
            }
            routes.get("/") { _ in .text("ok") }
        }
        try await withTransport(server) { transport in
            let executors = transport.executors
            guard executors.count > 1 else { return }
            // A task on a loop uses the connections of that loop.
            let slow = Task(executorPreference: executors[0]) {
                try await transport.exchange(server.request(.get, "/slow")).text
            }
            try await server.waitForRequests(1)
            let quick = Task(executorPreference: executors[1]) { try await transport.exchange(server.request()).text }
            #expect(try await quick.value == "ok")
            try await transport.waitForConnections(all: 2, idle: 1)
            let shutdown = Task { await transport.shutdown() }
            try await transport.waitForConnections(all: 1, idle: 0)
            gate.open()
            #expect(try await slow.value == "slow")
            await shutdown.value
        }
    }
}
