// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// What the predecessors retried: retries on 408 and on a time limit, more than three if a person
/// waits, the hook off, and the hook for statuses off.
@Suite struct RetryPolicyTests {
    private static let hasty = RetryPolicy(backoff: RetryBackoff(base: .zero))

    private func site(
        _ policy: RetryPolicy = hasty,
        _ answer: @escaping @Sendable (StubRequest) -> StubResponse
    ) -> (Resource, StubTransport) {
        let transport = StubTransport { answer($0) }
        let site = Resource("http://a.example", transport: transport.watched) { $0.retry = policy }
        return (site, transport)
    }

    @Test("408 and 503 are retried, up to the limit", arguments: [408, 503])
    func statuses(code: Int) async throws {
        let (site, transport) = site { $0.number < 3 ? .status(.init(code: code)) : .text("there") }
        let response = try await site["x"].get()
        #expect(response.text == "there")
        #expect(response.attempts.map(\.reason) == [.call, .retry, .retry])
        let (busy, other) = self.site { _ in .status(.init(code: code)) }
        let last = try await busy["x"].get()
        #expect(last.status.code == code && last.attempts.last?.retry?.obstacle == .limit(2))
        #expect(transport.requests.count == 3)
        #expect(other.requests.count == 3)
    }

    @Test("a time limit that passed is retried, up to the limit")
    func timeouts() async throws {
        let late = TransportFailure(.timeout(.response), "nothing came", fate: .unknown)
        let (site, transport) = site { $0.number < 3 ? .failure(late) : .text("there") }
        #expect(try await site["x"].get().text == "there")
        #expect(transport.requests.count == 3)
        let (silent, other) = self.site { _ in .failure(late) }
        let error = await #expect(throws: CumulusError.self) { try await silent["x"].get() }
        #expect(error?.code == .timeout && error?.attempts.last?.retry?.obstacle == .limit(2))
        #expect(other.requests.count == 3)
    }

    @Test("a solicited request is tried more than three times, and ends with its success")
    func solicited() async throws {
        var policy = RetryPolicy.solicited
        policy.backoff = RetryBackoff(base: .zero)
        let (site, transport) = site(policy) { $0.number < 9 ? .status(.internalServerError) : .text("there") }
        let response = try await site["x"].get()
        #expect(response.text == "there" && response.attempts.count == 9)
        #expect(transport.requests.count == 9)
    }

    @Test("a hook that says no ends it, whatever the rules say, and one that says yes continues")
    func hook() async throws {
        for policy in [Self.hasty, .solicited] {
            var declined = policy
            declined.decide = { _ in .stop }
            let (site, transport) = site(declined) { _ in .status(.serviceUnavailable) }
            #expect(try await site["x"].get().attempts.map { $0.retry?.obstacle } == [.declined])
            #expect(transport.requests.count == 1)
        }
        var insistent = Self.hasty
        insistent.decide = { $0.retries < 4 ? .again(after: .zero) : .stop }
        let (site, transport) = site(insistent) { _ in .text("there") }
        #expect(try await site["x"].get().text == "there")
        #expect(transport.requests.count == 5)
    }

    @Test("a status that is not a failure is neither retried nor thrown")
    func acceptedStatus() async throws {
        var policy = Self.hasty
        policy.statuses = []
        let (site, transport) = site(policy) { _ in .response(.serviceUnavailable, body: Array("busy".utf8)) }
        site.setRules { $0.acceptableStatuses = [.serviceUnavailable] }
        #expect(try await site["x"].get(as: String.self) == "busy")
        #expect(transport.requests.count == 1)
    }
}
