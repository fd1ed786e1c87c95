// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(5))) struct CircuitBreakerTests {
    /// A site with a circuit breaker, and a server whose responses a test chooses.
    final class Site: Sendable {
        let clock = ManualClock()
        let transport: StubTransport
        let site: Resource
        let breaker: CircuitBreaker

        init(
            failures: Int = 3,
            retry: RetryPolicy = .never,
            _ answer: @escaping @Sendable (Int) async throws -> StubResponse
        ) {
            let breaker = CircuitBreaker(failures: failures, pause: .seconds(30), clock: clock)
            let clock = clock
            self.breaker = breaker
            transport = StubTransport { try await answer($0.number) }
            site = Resource("http://a.example", transport: transport.watched) {
                $0.clock = clock
                $0.retry = retry
                $0.interceptors.append(breaker.intercept)
            }
        }

        var count: Int { transport.requests.count }

        func get() async -> Result<Int, any Error> {
            do {
                return .success(try await site.get().statusCode)
            } catch {
                return .failure(error)
            }
        }

        func refusal() async -> CircuitOpen? {
            guard case .failure(let error) = await get() else { return nil }
            return (error as? CumulusError)?.cause as? CircuitOpen
        }
    }

    @Test func nothingIsSentAfterFailuresInARow() async throws {
        let site = Site { _ in .status(.serviceUnavailable) }
        for _ in 0..<3 { _ = await site.get() }
        #expect(await site.refusal()?.remaining == .seconds(30))
        site.clock.advance(by: .seconds(20))
        let refusal = try #require(await site.refusal())
        #expect(refusal.remaining == .seconds(10) && refusal.failures == 3 && site.count == 3)
        #expect(
            "\(refusal)"
                == "nothing is sent to http://a.example: 3 attempts in a row have failed, and the next attempt is allowed in 10 s"
        )
    }

    @Test func successBetweenFailuresCountsAnew() async throws {
        let site = Site { $0 == 3 ? .status(.ok) : .status(.badGateway) }
        for _ in 0..<5 { _ = await site.get() }
        #expect(site.count == 5)
        _ = await site.get()
        #expect(await site.refusal() != nil && site.count == 6)
    }

    @Test func statusesThatAreNoOutageDoNotCount() async throws {
        let statuses: [HTTPResponse.Status] = [.notFound, .tooManyRequests, .notImplemented, .unauthorized]
        let site = Site { .status(statuses[$0 % statuses.count]) }
        for _ in 0..<20 { _ = await site.get() }
        #expect(site.count == 20)
    }

    @Test func oneProbeIsSentAfterThePause() async throws {
        let arrived = Gate()
        let gate = Gate()
        let site = Site { number in
            if number == 4 {
                arrived.open()
                try await gate.wait()
                return .status(.ok)
            }
            return number < 4 ? .status(.serviceUnavailable) : .status(.ok)
        }
        for _ in 0..<3 { _ = await site.get() }
        site.clock.advance(by: .seconds(30))
        async let probe = site.get()
        try await arrived.wait()
        #expect(await site.refusal()?.remaining == .zero)
        #expect(site.count == 4)
        gate.open()
        #expect(try await probe.get() == 200)
        #expect(try await site.get().get() == 200)
        #expect(site.breaker.openUntil(Origin(scheme: .http, host: "a.example")) == nil)
    }

    @Test func failedProbeBeginsAnotherPause() async throws {
        let site = Site { _ in .failure(TransportFailure(.connect, "refused", fate: .unsent)) }
        for _ in 0..<3 { _ = await site.get() }
        for _ in 0..<3 {
            site.clock.advance(by: .seconds(30))
            _ = await site.get()
            #expect(await site.refusal()?.remaining == .seconds(30))
        }
        #expect(site.count == 6)
    }

    @Test func cancelledProbeLeavesTheNextOneFree() async throws {
        let arrived = Gate()
        let site = Site { number in
            if number == 4 {
                arrived.open()
                try await Gate().wait()
            }
            return number < 4 ? .status(.serviceUnavailable) : .status(.ok)
        }
        for _ in 0..<3 { _ = await site.get() }
        site.clock.advance(by: .seconds(30))
        let probe = Task { await site.get() }
        try await arrived.wait()
        probe.cancel()
        _ = await probe.value
        #expect(try await site.get().get() == 200)
    }

    @Test func attemptThatBeganBeforeThePauseDoesNotEndIt() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let site = Site { number in
            guard number == 1 else { return .status(.serviceUnavailable) }
            arrived.open()
            try await gate.wait()
            return .status(.ok)
        }
        async let early = site.get()
        try await arrived.wait()
        for _ in 0..<3 { _ = await site.get() }
        gate.open()
        #expect(try await early.get() == 200)
        #expect(await site.refusal()?.remaining == .seconds(30))
    }

    @Test func pauseOutlastsOtherOrigins() async throws {
        let site = Site(failures: 2) { _ in .status(.serviceUnavailable) }
        for _ in 0..<2 { _ = await site.get() }
        for number in 0..<300 {
            let other = Resource("http://h\(number).example", transport: site.transport) {
                $0.retry = .never
                $0.interceptors.append(site.breaker.intercept)
            }
            _ = try await other.get()
        }
        #expect(await site.refusal() != nil)
    }

    @Test func refusalIsNotRetried() async throws {
        let retry = RetryPolicy(limit: 5, backoff: RetryBackoff(base: .zero))
        let site = Site(failures: 1, retry: retry) { _ in .status(.serviceUnavailable) }
        #expect(await site.refusal() != nil)
        #expect(site.count == 1)
    }

    @Test func originsAreCountedApart() async throws {
        let site = Site(failures: 1) { _ in .status(.serviceUnavailable) }
        _ = await site.get()
        let other = Resource("http://b.example", transport: site.transport) {
            $0.retry = .never
            $0.interceptors.append(site.breaker.intercept)
        }
        #expect(try await other.get().statusCode == 503)
        #expect(await site.refusal() != nil)
    }

    @Test func manyOriginsTakeBoundedMemory() async throws {
        let breaker = CircuitBreaker(failures: 1)
        let transport = StubTransport { _ in .status(.serviceUnavailable) }
        for number in 0..<300 {
            let site = Resource("http://h\(number).example", transport: transport) {
                $0.retry = .never
                $0.interceptors.append(breaker.intercept)
            }
            _ = try await site.get()
        }
        let open = (0..<300).filter { breaker.openUntil(Origin(scheme: .http, host: "h\($0).example")) != nil }
        #expect(open.count == 256 && open.first == 44)
    }
}
