// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import NIOPosix
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct LoopExecutorTests {
    private func server() async throws -> LoopbackServer {
        try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
    }

    @Test func aTaskStaysOnItsLoopAcrossARequest() async throws {
        let server = try await server()
        try await withTransport(server) { transport in
            let loops = try await withTaskExecutorPreference(transport.executor) {
                let before = await currentLoop()
                try await transport.check(server.request(), answers: "ok")
                return (before, await currentLoop())
            }
            #expect(loops.0 != nil)
            #expect(loops.0 == loops.1)
        }
    }

    @Test func thereIsOneExecutorForEachLoop() async throws {
        let server = try await server()
        try await withTransport(server) { transport in
            var loops: Set<ObjectIdentifier> = []
            for executor in transport.executors {
                let loop = await withTaskExecutorPreference(executor) { await currentLoop() }
                loops.insert(try #require(loop))
            }
            #expect(loops.count == transport.executors.count)
            #expect(transport.executors.first === transport.executor)
        }
    }

    @Test func manyTasksShareALoopAndItsConnections() async throws {
        let server = try await server()
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 4
        try await withTransport(server, configuration) { transport in
            let answered = try await withTaskExecutorPreference(transport.executor) {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<32 {
                        group.addTask {
                            for _ in 0..<10 { try await transport.check(server.request(), answers: "ok") }
                            return 10
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
            #expect(answered == 320)
            #expect(server.counts.connectionsAccepted <= 4)
        }
    }

    @Test func aTaskOnALoopCanBeCancelledWhileItWaits() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start { routes in
            routes.get("/slow") { _ in
                try await gate.wait()
                return .text("slow")
            }
        }
        try await withTransport(server) { transport in
            let task = Task(executorPreference: transport.executor) {
                try await transport.exchange(server.request(.get, "/slow")).text
            }
            try await server.waitForRequests(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            gate.open()
        }
    }

    @Test func theWholePipelineRunsOnALoop() async throws {
        let server = try await server()
        try await withTransport(server) { transport in
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport.watched)
            let text = try await withTaskExecutorPreference(transport.executor) { try await site.get(as: String.self) }
            #expect(text == "ok")
        }
    }
}

/// The event loop that the caller runs on.
private nonisolated(nonsending) func currentLoop() async -> ObjectIdentifier? {
    MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) }
}
