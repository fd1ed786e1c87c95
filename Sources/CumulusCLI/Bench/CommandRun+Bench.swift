// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

extension CommandRun {
    /// Sends the same request many times, and prints the results; Ctrl-C prints those so far.
    func bench(_ asked: BenchPlan) async throws -> CommandStatus {
        var plan = asked
        plan.request = try completed(asked.request)
        let work = plan
        return try await withCookies([plan.request]) { plans in
            try await withTransport(plans[0]) { transport in
                let draft = try await RequestBuilder(plans[0], console: console, renewals: renewals).build(
                    over: transport
                )
                let started = ContinuousClock.now
                let result = await CommandRun.load(work, draft)
                let elapsed = ContinuousClock.now - started
                let text =
                    work.printsJSON
                    ? "\(result.json(of: work, elapsed: elapsed))" : result.text(of: work, elapsed: elapsed)
                do {
                    try console.write(Array("\(text)\n".utf8))
                } catch is ClosedOutput {
                    // The exit status tells the result all the same.
                }
                if Task.isCancelled { return .interrupted }
                return result.errors.isEmpty ? .success : .failure
            }
        }
    }

    private static func load(_ plan: BenchPlan, _ draft: RequestBuilder.Draft) async -> BenchResult {
        let next = BenchCounter()
        let end = plan.duration.map { ContinuousClock.now + $0 }
        return await withTaskGroup(of: BenchResult.self) { group in
            for _ in 0..<min(plan.concurrency, plan.requests) {
                group.addTask {
                    var result = BenchResult()
                    while next.take() <= plan.requests, !Task.isCancelled {
                        let started = ContinuousClock.now
                        if let end, started >= end { break }
                        await send(draft, started, &result)
                    }
                    return result
                }
            }
            var all = BenchResult()
            for await result in group { all.add(result) }
            return all
        }
    }

    private static func send(
        _ draft: RequestBuilder.Draft,
        _ started: ContinuousClock.Instant,
        _ result: inout BenchResult
    ) async {
        do {
            let stream = try await draft.open()
            for try await chunk in stream { result.bytes += Int64(chunk.count) }
            let elapsed = ContinuousClock.now - started
            result.latencies.record(UInt64(max(0, elapsed / .microseconds(1))))
            result.statuses[stream.status.code, default: 0] += 1
        } catch is CancellationError {
            return
        } catch {
            result.add(error)
        }
    }
}

/// Counts the started requests.
private final class BenchCounter: Sendable {
    private let count = Atomic(0)

    /// The next number, from 1.
    func take() -> Int { count.add(1, ordering: .relaxed).newValue }
}
