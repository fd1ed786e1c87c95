// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Retries against a server that fails 30 % of its requests, cuts 5 % of the bodies short, and resets 5 % of the
/// connections, pseudo-randomly, with the same sequence each time.
///
/// `CUMULUS_FAULT_CALLS` is the number of calls; by default 1,000, or 10,000 among the slow tests.
/// `Scripts/benchmark.sh faults` does the same beside other clients.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RetryFaultTests {
    private static let asked = ProcessInfo.processInfo.environment["CUMULUS_FAULT_CALLS"].flatMap { Int($0) }
    private static let calls = asked ?? (SlowTests.areWanted ? 10_000 : 1_000)
    /// Of ten calls two are POSTs without a key, and the others may be sent twice.
    private static let methods: [HTTPRequest.Method] =
        [.get, .get, .get, .get, .get, .get, .put, .delete, .post, .post]
    private static let posts = (0..<calls).count { method(of: $0) == .post }

    private static func method(of number: Int) -> HTTPRequest.Method { methods[number % methods.count] }

    /// The server's record and behavior: a request's fate depends on its number and how often it was sent.
    private final class Faults: Sendable {
        private let counts = Mutex<[Int: Int]>([:])
        /// The requests that were refused with 429, after which a POST may be sent again.
        private let refusals = Mutex<[Int: Int]>([:])
        private let calls = Atomic<Int>(0)

        func nextCall() -> Int { calls.add(1, ordering: .relaxed).oldValue }

        var total: Int { counts.withLock { $0.values.reduce(0, +) } }
        var postsTwice: Int {
            let refused = refusals.withLock(\.self)
            return counts.withLock { counts in
                counts.count { number, count in
                    RetryFaultTests.method(of: number) == .post && count - refused[number, default: 0] > 1
                }
            }
        }

        func answer(_ request: ServerRequest) -> ServerResponse {
            let number = request.headers["X-Call"].flatMap { Int($0) } ?? 0
            let arrival = counts.withLock { counts in
                counts[number, default: 0] += 1
                return counts[number] ?? 1
            }
            var chance = SplitMix(state: 2_026 + UInt64(number) * 1_000 + UInt64(arrival))
            switch chance.next() % 100 {
            case ..<30:
                let statuses: [HTTPResponse.Status] =
                    [.internalServerError, .badGateway, .serviceUnavailable, .tooManyRequests]
                let status = statuses[Int(chance.next() % 4)]
                if status == .tooManyRequests { refusals.withLock { $0[number, default: 0] += 1 } }
                return .text("busy", status: status)
            case ..<35:
                return ServerResponse(body: Array(repeating: 7, count: 100)).failing(.cut(at: 50))
            case ..<40: return ServerResponse().failing(.resetStream(errorCode: 2))
            default: return ServerResponse(body: Array(repeating: 7, count: 100))
            }
        }
    }

    /// Time doesn't pass, so that the budget doesn't grow with it; pauses take what they should.
    private struct StillClock: RequestClock {
        let now = ContinuousClock.now

        func sleep(until instant: ContinuousClock.Instant) async throws {
            // A few milliseconds, which the policy says.
            try await Task.sleep(for: now.duration(to: instant))
        }
    }

    private struct Outcome: Sendable {
        var idempotent = 0
        var posts = 0
        var failures: [any Error] = []

        var obstacles: [RetryDecision.Obstacle?] {
            failures.map { ($0 as? CumulusError)?.attempts.last?.retry?.obstacle }
        }
    }

    /// Makes all calls, 32 at a time.
    private func run(_ policy: RetryPolicy, onServer faults: Faults) async throws -> (Outcome, Origin) {
        try await withLoopbackServer(routes: { routes in routes.on(nil, "/x") { faults.answer($0) } }) { server in
            let site = Resource("\(server.url)/x", transport: NIOTransport().watched) {
                $0.retry = policy
                $0.clock = StillClock()
            }
            let outcome = await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<32 {
                    group.addTask {
                        var outcome = Outcome()
                        while true {
                            let number = faults.nextCall()
                            guard number < Self.calls else { return outcome }
                            await Self.call(number, of: site, &outcome)
                        }
                    }
                }
                return await group.reduce(into: Outcome()) { all, part in
                    all.idempotent += part.idempotent
                    all.posts += part.posts
                    all.failures += part.failures
                }
            }
            return (outcome, try RequestURL(server.url).origin)
        }
    }

    private static func call(_ number: Int, of site: Resource, _ outcome: inout Outcome) async {
        let method = method(of: number)
        let body: Payload = method == .post || method == .put ? .text("1") : .none
        do {
            let response = try await site.call(method, body, headers: ["X-Call": "\(number)"]).send().requireSuccess()
            let isWhole = response.bytes.count == 100
            if method == .post { outcome.posts += isWhole ? 1 : 0 } else { outcome.idempotent += isWhole ? 1 : 0 }
        } catch {
            outcome.failures.append(error)
        }
    }

    /// Prints the numbers, for a run that asked for them.
    private func tell(_ numbers: String) { if Self.asked != nil { print(numbers) } }

    @Test("with 15 attempts and without a budget all idempotent calls succeed, and no POST is carried out twice")
    func patience() async throws {
        let faults = Faults()
        let backoff = RetryBackoff(base: .milliseconds(1), cap: .milliseconds(5))
        let (outcome, _) = try await run(RetryPolicy(limit: 14, backoff: backoff, budget: nil), onServer: faults)
        #expect(outcome.idempotent == Self.calls - Self.posts)
        #expect(outcome.failures.count == Self.posts - outcome.posts && !outcome.failures.isEmpty)
        #expect(outcome.obstacles.allSatisfy { $0 == .method(.post) })
        #expect(faults.postsTwice == 0)
        tell("15 attempts: \(Self.calls) calls, \(faults.total) requests, \(outcome.failures.count) POSTs failed")
    }

    @Test("by default the load stays within the budget, and each failure has its reason")
    func budget() async throws {
        let faults = Faults()
        let policy = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(1), cap: .milliseconds(5)))
        let (outcome, origin) = try await run(policy, onServer: faults)
        // Repetitions by the transport itself since the last check of the budget are not counted yet.
        let mayBe = Self.calls + 100 + Self.calls / 5 + 32
        #expect(faults.total <= mayBe)
        #expect(faults.total >= Self.calls + 100)
        #expect(outcome.obstacles.contains(.budget(origin)))
        for (error, obstacle) in zip(outcome.failures, outcome.obstacles) {
            #expect([.budget(origin), .limit(2), .method(.post)].contains(obstacle), "\(error)")
            #expect(obstacle.map { "\(error)".contains("\($0)") } == true)
        }
        #expect(faults.postsTwice == 0)
        tell("as it is: \(faults.total) of \(mayBe) requests, \(outcome.idempotent) and \(outcome.posts) succeeded")
    }
}
