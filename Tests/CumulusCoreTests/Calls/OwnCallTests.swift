// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Calls whose output the user's own code makes.
@Suite(.timeLimit(.minutes(10))) struct OwnCallTests {
    private struct Broken: Error {}

    private let transport = StubTransport { request in
        .text("\(request.method.rawValue) \(request.request.target) \(request.headers[.userAgent] ?? "")")
    }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    /// A call of an SDK: two requests, whose texts are joined.
    private func twice(_ site: Resource) -> Call<[String]> {
        Call(on: site["first"]) { first in
            var second = first
            second.method = .put
            return [try await first.send().text ?? "", try await second.send().text ?? ""]
        }
    }

    @Test func outputIsMadeFromSeveralRequests() async throws {
        var call = twice(site).with { $0.headers[.userAgent] = "own" }
        call.query["page"] = 2
        #expect(try await call.send() == ["GET /first?page=2 own", "PUT /first?page=2 own"])
        #expect(try await call.map(\.count).send() == 2)
        #expect(transport.requests.count == 4)
    }

    @Test func callIsStartedAndStartedAgain() async throws {
        let running = twice(site).start()
        #expect(try await running.value.count == 2)
        running.restart()
        #expect(try await running.value.count == 2)
        #expect(transport.requests.count == 4)
    }

    @Test func errorOfTheClosureIsTheCalls() async throws {
        let call = Call<Int>(on: site) { _ in throw Broken() }
        await #expect(throws: Broken.self) { try await call.send() }
    }

    @Test func cancellingEndsItsRequests() async throws {
        let gate = Gate()
        let site = Resource(
            "http://a.example",
            transport: StubTransport { _ in
                try await gate.wait()
                return .text("x")
            }.watched
        )
        let running = twice(site).start()
        try await eventually { gate.waiterCount == 1 }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        await site.waitUntilIdle()
    }

    // MARK: One function for rules and copies

    private func preset(_ settings: inout Resource.Settings) { settings.timeout = .seconds(7) }
    private func limits(_ rules: inout Resource.Rules) {
        preset(&rules.settings)
        rules.maxConcurrentRequests = 3
    }

    @Test func oneFunctionServesRulesAndCopies() {
        let rooted = Resource("http://a.example", transport: transport, limits)
        #expect(rooted.timeout == .seconds(7) && rooted.hasRule(for: \.maxConcurrentRequests))
        #expect(Resource("http://a.example", transport: transport) { preset(&$0.settings) }.timeout == .seconds(7))
        #expect(site.with(preset).timeout == .seconds(7))
        let placed = site["x"]
        placed.setRules(limits)
        #expect(placed.timeout == .seconds(7))
    }
}
