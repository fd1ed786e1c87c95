// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// The three limits of a call, and the default number of concurrent requests.
@Suite(.timeLimit(.minutes(10))) struct TimeLimitTests {
    private let clock = ManualClock()

    private func site(_ answer: StubResponse) -> Resource {
        let site = Resource("http://a.example", transport: StubTransport(answering: { _ in answer }).watched) {
            $0.clock = clock
            $0.retry = .never
        }
        return site
    }

    /// The phase in which a call ends after its clock was advanced.
    private func phase(_ site: Resource) async throws -> TransportFailure.Phase? {
        let call = Task { try await failure { try await site.get() } }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        return try await call.value.phase
    }

    @Test("silence, also while waiting for the head, is limited by `timeout`")
    func silence() async throws {
        let late = site(StubResponse.text("late").delayed(by: .seconds(50)))
        late.setRules { $0.timeout = .seconds(5) }
        #expect(try await phase(late) == .response)
        let broken = site(.script([.chunk([1]), .pause(.seconds(50)), .chunk([2])]))
        broken.setRules { $0.timeout = .seconds(5) }
        #expect(try await phase(broken) == .idle)
    }

    @Test("the whole call is limited by `deadline`")
    func whole() async throws {
        let late = site(StubResponse.text("late").delayed(by: .seconds(50)))
        late.setRules { $0.deadline = .seconds(5) }
        #expect(try await phase(late) == .total)
    }

    @Test("the head has its own limit, and each limit is inherited separately")
    func beside() {
        let site = site(.text("ok"))
        site.setRules {
            $0.timeout = .seconds(5)
            $0.responseTimeout = .seconds(6)
        }
        let child = site["a"]
        child.setRules {
            $0.connectTimeout = .seconds(1)
            $0.deadline = .seconds(7)
        }
        #expect(child.timeout == .seconds(5))
        #expect(child.responseTimeout == .seconds(6))
        #expect(child.poolTimeout == .seconds(30))
        #expect(child.deadline == .seconds(7) && site.deadline == nil)
        child.setRules { $0.inherit(\.connectTimeout) }
        #expect(child.connectTimeout == .seconds(10))
        let once = site.with { $0.poolTimeout = nil }
        #expect(once.poolTimeout == nil && once.responseTimeout == .seconds(6))
    }

    @Test func limitsAreExplainedInWords() {
        let site = site(.text("ok"))
        #expect(site.explain(\.connectTimeout).value == "10 s" && site.explain(\.poolTimeout).value == "30 s")
        #expect(site.explain(\.responseTimeout).value == "none" && site.explain(\.minimumRate).value == "none")
        site.setRules {
            $0.responseTimeout = .milliseconds(1_500)
            $0.minimumRate = MinimumRate(bytesPerSecond: 10, over: .seconds(90))
        }
        #expect(site.explain(\.responseTimeout).value == "1.5 s")
        #expect(site.explain(\.minimumRate).value == "10 bytes per second over 1 min 30 s")
        #expect(site.explain(\.timeout).value == "1 min" && site.explain(\.deadline).value == "none")
    }

    @Test("by default the tree has no limit, and the transport's own applies")
    func noLimit() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            try await gate.wait()
            return .text("ok")
        }
        let site = Resource("http://a.example", transport: transport.watched)
        #expect(site.explain(\.maxConcurrentRequests).value == "0")
        let calls = (0..<50).map { number in Task { try await site[number].get().isSuccessful } }
        try await eventually { gate.waiterCount == 50 }
        gate.open()
        for call in calls { #expect(try await call.value) }
    }
}
