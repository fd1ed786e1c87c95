// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Testing

/// The interceptor on a clock that stands still until a test advances it.
@Suite(.timeLimit(.minutes(10))) struct HedgingTests {
    private let clock = ManualClock()

    private func site(
        slots: Int = 0,
        _ answer: @escaping @Sendable (StubRequest) -> StubResponse
    ) -> (Resource, StubTransport) {
        let transport = StubTransport { answer($0) }
        let site = Resource("http://a.example", transport: transport)
        site.setRules {
            $0.clock = clock
            $0.timeout = nil
            $0.retry = .never
            $0.maxConcurrentRequests = slots
            $0.interceptors = [Hedging(delay: .milliseconds(200), clock: clock).intercept]
        }
        return (site, transport)
    }

    /// Responds with the request's number, after the given delays in milliseconds.
    private func answers(_ delays: Int...) -> @Sendable (StubRequest) -> StubResponse {
        { request in
            .text("\(request.number)").delayed(by: .milliseconds(delays[min(request.number, delays.count) - 1]))
        }
    }

    /// Fails with the request's number, after the given delays in milliseconds.
    private func failures(_ delays: Int...) -> @Sendable (StubRequest) -> StubResponse {
        { request in
            .failure(TransportFailure(.connectionClosed, "it broke \(request.number)", fate: .unknown))
                .delayed(by: .milliseconds(delays[min(request.number, delays.count) - 1]))
        }
    }

    /// Advances the clock once there are enough sleepers.
    private func advance(_ milliseconds: Int, sleepers: Int) async throws {
        try await clock.waitForSleepers(sleepers)
        clock.advance(by: .milliseconds(milliseconds))
    }

    @Test("the guide's place has the interceptor, and the places around it don't")
    func use() async throws {
        let (site, _) = site(answers(0))
        site.setRules { $0.interceptors = [] }
        let search = hedgedSearch(of: site)
        #expect(search.interceptors.count == 1 && site.interceptors.isEmpty)
        #expect(try await search.get().text == "1")
    }

    @Test("a response in time is taken, and nothing else is sent")
    func inTime() async throws {
        let (site, transport) = site(answers(100))
        async let response = site.get()
        // The response, and the time to send again.
        try await advance(100, sleepers: 2)
        #expect(try await response.text == "1")
        #expect(transport.requests.count == 1 && clock.sleeperCount == 0)
    }

    @Test("after the delay the request is sent again; the second's response is taken, and the first cancelled")
    func second() async throws {
        let (site, transport) = site(answers(10_000, 50))
        async let pending = site.get()
        try await advance(200, sleepers: 2)
        try await advance(50, sleepers: 2)
        let response = try await pending
        #expect(response.text == "2" && response.attempts.map(\.reason) == [.call, .interceptor])
        #expect(transport.requests.map(\.request.target) == ["/", "/"])
        // The first one's wait has ended.
        #expect(clock.sleeperCount == 0)
    }

    @Test("the first response is taken if it arrives first, and the second request cancelled")
    func first() async throws {
        let (site, transport) = site(answers(300, 500))
        async let response = site.get()
        try await advance(200, sleepers: 2)
        try await advance(100, sleepers: 2)
        #expect(try await response.text == "1")
        #expect(transport.requests.count == 2 && clock.sleeperCount == 0)
    }

    @Test("requests that may have an effect are sent once", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func effects(method: String) async throws {
        let (site, transport) = site(answers(1_000))
        async let response = site.call(try #require(HTTPRequest.Method(method))).send()
        try await advance(1_000, sleepers: 1)
        #expect(try await response.text == "1")
        #expect(transport.requests.count == 1)
    }

    @Test("if one of the two fails, the other's response is taken")
    func oneFails() async throws {
        let fails = failures(300)
        let (site, _) = site { $0.number == 1 ? fails($0) : .text("2").delayed(by: .milliseconds(400)) }
        async let response = site.get()
        try await advance(200, sleepers: 2)
        try await advance(100, sleepers: 2)
        try await advance(300, sleepers: 1)
        #expect(try await response.text == "2")
    }

    @Test("if both fail, the call fails with what one of them said")
    func bothFail() async throws {
        let (site, transport) = site(failures(300, 50))
        let call = Task { try await site.get() }
        try await advance(200, sleepers: 2)
        try await advance(50, sleepers: 2)
        try await advance(50, sleepers: 1)
        let error = await #expect(throws: CumulusError.self) { try await call.value }
        // Which of them is heard last is up to the scheduler.
        #expect(error?.message.contains("it broke") == true && transport.requests.count == 2)
    }

    @Test("a failure before the delay is the attempt's, for the retry policy to decide")
    func earlyFailure() async throws {
        let fails = failures(100)
        let (site, transport) = site { $0.number == 1 ? fails($0) : .text("2") }
        site.setRules { $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero)) }
        async let pending = site.get()
        try await advance(100, sleepers: 2)
        let response = try await pending
        #expect(response.text == "2" && response.attempts.map(\.reason) == [.call, .retry])
        #expect(transport.requests.count == 2 && clock.sleeperCount == 0)
    }

    @Test("cancelling the caller cancels both requests")
    func cancellation() async throws {
        let (site, transport) = site(answers(10_000))
        let call = Task { try await site.get() }
        try await advance(200, sleepers: 2)
        try await clock.waitForSleepers(2)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.requests.count == 2 && clock.sleeperCount == 0)
    }

    @Test("with one slot the second request waits in line, and leaves it when the first is answered")
    func oneSlot() async throws {
        let (site, transport) = site(slots: 1, answers(1_000, 10_000))
        async let response = site.get()
        try await advance(200, sleepers: 2)
        try await advance(800, sleepers: 1)
        #expect(try await response.text == "1")
        #expect(transport.requests.count <= 2 && clock.sleeperCount == 0 && site.runningCalls.isEmpty)
    }
}
