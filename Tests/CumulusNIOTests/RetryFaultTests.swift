// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Retries against a server that fails 30 % of its requests, cuts 5 % of the bodies short, and resets 5 % of the
/// connections, by chance but by the same chance each time.
///
/// `CUMULUS_FAULT_CALLS` is how many calls there are; 1,000 where it isn't set, so that the tests stay quick.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RetryFaultTests {
    private static let calls = ProcessInfo.processInfo.environment["CUMULUS_FAULT_CALLS"].flatMap { Int($0) } ?? 1_000

    /// What came to the server.
    private struct Counts {
        var numbers = SplitMix(state: 2_026)
        var arrivals: [String: Int] = [:]
        var total = 0
    }

    private final class Faults: Sendable {
        private let counts = Mutex(Counts())

        private let calls = Atomic<Int>(0)

        func nextCall() -> Int { calls.add(1, ordering: .relaxed).oldValue }

        var total: Int { counts.withLock(\.total) }
        var arrivals: [String: Int] { counts.withLock(\.arrivals) }

        func answer(_ request: ServerRequest) -> ServerResponse {
            let chance = counts.withLock { counts in
                counts.total += 1
                counts.arrivals[request.headers["X-Call"] ?? "", default: 0] += 1
                return counts.numbers.next() % 100
            }
            switch chance {
            case ..<30: return .text("busy", status: .serviceUnavailable)
            case ..<35:
                var cut = ServerResponse.script([.chunk(Array(repeating: 7, count: 50)), .close])
                cut.framing = .contentLength(100)
                return cut
            case ..<40: return .raw([.reset])
            default: return ServerResponse(body: Array(repeating: 7, count: 100))
            }
        }
    }

    private struct Outcomes: Sendable {
        var succeeded = 0
        var failed: [String] = []
        var attempts = 0
    }

    /// Makes all calls, some at a time: every fifth one is a POST without a key.
    private func run(_ policy: RetryPolicy, onServer faults: Faults) async throws -> (gets: Outcomes, posts: Outcomes) {
        let routes: @Sendable (inout Routes) -> Void = { routes in
            routes.get("/x") { faults.answer($0) }
            routes.post("/x") { faults.answer($0) }
        }
        return try await withLoopbackServer(routes: routes) { server in
            let site = Resource("\(server.url)/x", transport: NIOTransport())
            site.retry = policy
            return await withTaskGroup(of: (Outcomes, Outcomes).self) { group in
                for _ in 0..<32 {
                    group.addTask {
                        var (gets, posts) = (Outcomes(), Outcomes())
                        while true {
                            let number = faults.nextCall()
                            guard number < Self.calls else { return (gets, posts) }
                            let isPost = number.isMultiple(of: 5)
                            let headers: Headers = ["X-Call": "\(isPost ? "post" : "get")-\(number)"]
                            await Self.call(site, isPost, headers, &gets, &posts)
                        }
                    }
                }
                var (gets, posts) = (Outcomes(), Outcomes())
                for await (one, other) in group {
                    gets.succeeded += one.succeeded
                    gets.failed += one.failed
                    gets.attempts += one.attempts
                    posts.succeeded += other.succeeded
                    posts.failed += other.failed
                }
                return (gets, posts)
            }
        }
    }

    private static func call(
        _ site: Resource,
        _ isPost: Bool,
        _ headers: Headers,
        _ gets: inout Outcomes,
        _ posts: inout Outcomes
    ) async {
        do {
            if isPost {
                _ = try await site.post(.text("1"), headers: headers).requireSuccess()
                posts.succeeded += 1
            } else {
                let response = try await site.get(headers: headers).requireSuccess()
                gets.attempts += response.attempts.count
                gets.succeeded += response.bytes.count == 100 ? 1 : 0
            }
        } catch {
            if isPost { posts.failed.append("\(error)") } else { gets.failed.append("\(error)") }
        }
    }

    /// The numbers, for a run that was asked for.
    private func tell(_ numbers: String) { if Self.calls > 1_000 { print(numbers) } }

    private func expectNoPostTwice(_ faults: Faults) {
        #expect(faults.arrivals.filter { $0.key.hasPrefix("post") && $0.value > 1 }.isEmpty)
    }

    @Test("T-69: with 15 attempts and without a budget all idempotent calls succeed, and no POST is sent twice")
    func patience() async throws {
        let faults = Faults()
        let policy = RetryPolicy(
            limit: 14,
            backoff: RetryBackoff(base: .milliseconds(1), cap: .milliseconds(5)),
            budget: nil
        )
        let (gets, posts) = try await run(policy, onServer: faults)
        #expect(gets.failed.isEmpty)
        #expect(gets.succeeded == Self.calls - (Self.calls + 4) / 5)
        #expect(posts.failed.allSatisfy { $0.contains("not retried: POST may already have taken effect") })
        #expect(!posts.failed.isEmpty)
        expectNoPostTwice(faults)
        tell("15 attempts: \(Self.calls) calls, \(faults.total) requests, \(posts.failed.count) POSTs failed")
    }

    @Test("with the default budget the load stays within it, and each failure says why")
    func budget() async throws {
        let faults = Faults()
        var policy = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(1), cap: .milliseconds(5)))
        // All comes at once here, so the burst is small beside it.
        policy.budget = RetryBudget(burst: 20, share: 0.2, perSecond: 0)
        let (gets, posts) = try await run(policy, onServer: faults)
        let mayBe = Self.calls + 20 + Self.calls / 5
        // A connection that the server has reset is replaced by the transport itself, once, where it was kept.
        #expect(faults.total <= mayBe + Self.calls / 10)
        #expect(gets.failed.contains { $0.contains("the retry budget of") && $0.contains("is exhausted") })
        #expect(gets.failed.allSatisfy { $0.contains("is exhausted") || $0.contains("given up after 2 retries") })
        expectNoPostTwice(faults)
        tell(
            "budget: \(Self.calls) calls, \(faults.total) of \(mayBe) requests, \(gets.failed.count) GETs and \(posts.failed.count) POSTs failed"
        )
    }
}
