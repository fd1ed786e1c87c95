// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

/// Requests that are cancelled from outside their task, at each wait of the transport.
@Suite(.timeLimit(.minutes(10))) struct OutsideCancellationTests {
    enum Wait: CaseIterable {
        case limit, pool, connect, head, body, collectedBody, redirectBody
    }

    private func serve(_ routes: inout Routes) {
        routes.get("/silent") { _ in .silence }
        routes.get("/started") { _ in .script([.chunk(Array("started".utf8)), .hold]) }
        routes.get("/away") { _ in
            .script([.chunk(Array("gone".utf8)), .hold], status: .found, headers: [.location: "/x"])
        }
        routes.get("/x") { _ in .text("fine") }
    }

    @Test(arguments: Wait.allCases) func endsTheWait(at wait: Wait) async throws { _ = try await latency(at: wait) }

    @Test(
        "each wait ends within 50 ms of the cancellation",
        .enabled(if: SlowTests.areWanted, "measures time"),
        arguments: Wait.allCases
    )
    func endsTheWaitSoon(at wait: Wait) async throws {
        var best = try await latency(at: wait)
        // A busy machine may be late, but not each time.
        for _ in 0..<9 where best >= .milliseconds(50) { best = min(best, try await latency(at: wait)) }
        #expect(best < .milliseconds(50), "\(best)")
    }

    /// Cancels a request at a wait; returns the time until its caller is notified.
    private func latency(at wait: Wait) async throws -> Duration {
        try await withLoopbackServer(routes: serve) { server in
            var configuration = NIOTransport.Configuration()
            configuration.maximumConnectionsPerOrigin = wait == .pool ? 1 : 8
            return try await NIOTransport.withTransport(configuration) { transport in
                let site = Resource(server.url, transport: transport.watched)
                if wait == .limit { site.setRules { $0.maxConcurrentRequests = 1 } }
                let isHeld = wait == .pool || wait == .limit
                let holder = isHeld ? Task { try await site["silent"].get() } : nil
                if isHeld { try await server.waitForRequests(1) }
                let port = wait == .connect ? try await UnansweredPort.open() : nil
                let place = port.map { Resource("http://127.0.0.1:\($0.port)", transport: transport.watched) } ?? site
                let task = Task { try await begin(wait, at: place) }
                try await reach(wait, place, server, transport)
                let cancelled = ContinuousClock.now
                #expect(place.runningCalls.last?.cancel() == true)
                let result = await task.result
                // Only a slow test, which runs alone, has a limit for it.
                let latency = ContinuousClock.now - cancelled
                #expect(throws: CancellationError.self) { try result.get() }
                #expect(place.runningCalls.count == (isHeld ? 1 : 0))
                holder?.cancel()
                _ = await holder?.result
                let answer = try await site["x"].get()
                #expect(answer.text == "fine")
                port?.shutdown()
                return latency
            }
        }
    }

    private func begin(_ wait: Wait, at place: Resource) async throws {
        switch wait {
        case .limit, .pool, .connect: try await place["x"].get().requireSuccess()
        case .head: try await place["silent"].get().requireSuccess()
        case .collectedBody: try await place["started"].get().requireSuccess()
        case .redirectBody: try await place["away"].get().requireSuccess()
        case .body: for try await _ in try await place["started"].call(.get).stream() {}
        }
    }

    /// Waits until the request has reached the wait.
    private func reach(_ wait: Wait, _ place: Resource, _ server: LoopbackServer, _ transport: NIOTransport)
        async throws
    {
        let running = wait == .pool || wait == .limit ? 2 : 1
        try await until { place.runningCalls.count >= running }
        switch wait {
        // A listed request is in line, or about to be, which must make no difference.
        case .limit: break
        case .pool, .connect: try await until { try await transport.runningCount() >= running }
        case .head: try await server.waitForRequests(1)
        case .body, .collectedBody, .redirectBody: try await until { server.counts.bytesSent >= 4 }
        }
    }

    /// Polls: a loop that only yields would occupy the few threads.
    private func until(_ isOver: () async throws -> Bool) async throws {
        // Real sockets give no other signal.
        while try await !isOver() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Leaves each response to its reader, after it has waited.
    private struct Deciding: Authorizer {
        let decided: Gate
        var challengeStatuses: StatusSet { [.ok] }
        func authorize(_ request: inout EncodedRequest) async throws {}
        func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
            decided.open()
            return .giveUp
        }
    }

    @Test func theBodyOfAResponseThatAnAuthorizerHasSeenEndsToo() async throws {
        let much = [UInt8](repeating: 0x61, count: 100_000)
        try await withLoopbackServer { routes in
            routes.get("/much") { _ in .script([.chunk(much), .hold]) }
        } _: { server in
            try await NIOTransport.withTransport { transport in
                // The cancellation comes while the authorizer returns, or after.
                for _ in 0..<20 {
                    let decided = Gate()
                    let site = Resource(server.url, transport: transport.watched) {
                        $0.authorizers.append(Deciding(decided: decided))
                    }
                    let task = Task { try await site["much"].get() }
                    try await decided.wait()
                    site.cancelAll()
                    let result = await task.result
                    #expect(throws: CancellationError.self) { try result.get() }
                }
                try await server.waitForOpenConnections(0)
            }
        }
    }

    @Test func cancellingAllEndsAHundredAtOnce() async throws {
        try await withLoopbackServer(routes: serve) { server in
            try await NIOTransport.withTransport { transport in
                let site = Resource(server.url, transport: transport.watched)
                let tasks = (0..<100).map { _ in Task { try await site["silent"].get() } }
                try await server.waitForRequests(100)
                #expect(site.cancelAll() == 100)
                for task in tasks {
                    let result = await task.result
                    #expect(throws: CancellationError.self) { try result.get() }
                }
                #expect(site.runningCalls.isEmpty)
                try await server.waitForOpenConnections(0)
                #expect(try await transport.runningCount() == 0)
            }
        }
    }
}
