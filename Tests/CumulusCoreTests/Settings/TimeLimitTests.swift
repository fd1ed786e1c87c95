// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// The three limits of a call, and the default number of concurrent requests (M59, M60).
@Suite(.timeLimit(.minutes(1))) struct TimeLimitTests {
    private let clock = ManualClock()

    private func site(_ answer: StubAnswer) -> Resource {
        let site = Resource("http://a.example", transport: StubTransport(answering: { _ in answer }))
        site.clock = clock
        site.retry = .never
        return site
    }

    /// The phase in which a call ends after its clock was advanced.
    private func phase(_ site: Resource) async throws -> TransportFailure.Phase? {
        let call = Task { try await failure { try await site.get() } }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        return try await call.value.phase
    }

    @Test("M59: silence, also while waiting for the head, is limited by `timeout`")
    func silence() async throws {
        let late = site(StubAnswer.text("late").delayed(by: .seconds(50)))
        late.timeout = .seconds(5)
        #expect(try await phase(late) == .response)
        let broken = site(.script([.chunk([1]), .pause(.seconds(50)), .chunk([2])]))
        broken.timeout = .seconds(5)
        #expect(try await phase(broken) == .idle)
    }

    @Test("M59: the whole call is limited by `deadline`")
    func whole() async throws {
        let late = site(StubAnswer.text("late").delayed(by: .seconds(50)))
        late.deadline = .seconds(5)
        #expect(try await phase(late) == .total)
    }

    @Test("M59: the head has its own limit, and each limit is inherited separately")
    func beside() {
        let site = site(.text("ok"))
        site.timeout = .seconds(5)
        site.timeouts.response = .seconds(6)
        let child = site["a"]
        child.timeouts.connect = .seconds(1)
        child.deadline = .seconds(7)
        #expect(child.timeout == .seconds(5))
        #expect(child.timeouts.response == .seconds(6))
        #expect(child.timeouts.poolWait == .seconds(30))
        #expect(child.deadline == .seconds(7) && site.deadline == nil)
    }

    @Test("M60: by default the tree has no limit, and the transport's own applies")
    func noLimit() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            try await gate.wait()
            return .text("ok")
        }
        let site = Resource("http://a.example", transport: transport)
        #expect(site.maxConcurrentRequests == 0)
        let calls = (0..<50).map { number in Task { try await site[number].get().isSuccessful } }
        try await eventually { gate.waiterCount == 50 }
        gate.open()
        for call in calls { #expect(try await call.value) }
    }
}
