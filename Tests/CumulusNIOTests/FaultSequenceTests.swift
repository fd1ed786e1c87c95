// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Random sequences of real faults on real connections, judged by what the server has counted.
///
/// Each run has other ones: `CUMULUS_FAULT_SEED` makes one that has failed again.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FaultSequenceTests {
    private static let seed =
        ProcessInfo.processInfo.environment["CUMULUS_FAULT_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
    private static let calls = SlowTests.rounds(1_000, of: 10_000)

    /// Time doesn't pass; the server may move it.
    private final class MovedClock: RequestClock {
        private let began = ContinuousClock.now
        private let moved = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { moved.withLock { began.advanced(by: $0) } }

        func move(by time: Duration) { moved.withLock { $0 += time } }

        func sleep(until instant: ContinuousClock.Instant) async throws {
            // However long a busy machine takes, no limit passes by itself.
            while instant > now { try await Task.sleep(for: .seconds(60)) }
        }
    }

    /// How a call ended for its caller.
    private struct End: Sendable {
        var status: Int?
        var bytes: [UInt8] = []
        var error: (any Error)?
        /// Its records; `nil` if it has none: a cancellation, a download.
        var records: [AttemptRecord]?
    }

    /// What all sequences together have met.
    private struct Coverage: Sendable {
        var faults: [FaultPlan.Fault: Int] = [:]
        var reasons: [AttemptRecord.Reason: Int] = [:]

        /// Whether each fault, and each reason to send again, was met several times.
        var isComplete: Bool {
            let needed: [AttemptRecord.Reason] = [
                .redirect, .retry, .staleConnection, .expectation, .misdirected, .requestTimeout, .interceptor, .resume,
            ]
            return FaultPlan.Fault.allCases.allSatisfy { faults[$0] ?? 0 >= 20 }
                && needed.allSatisfy { reasons[$0] ?? 0 >= 3 }
        }
    }

    @Test("1,000 sequences of faults: nothing arrives twice that must not, all that arrives is recorded")
    func sequences() async throws {
        let (service, transport, folder) = (FaultService(), NIOTransport(), try TemporaryFolder())
        var coverage = Coverage()
        try await withLoopbackServer(routes: service.routes(isAway: false)) { home in
            try await withLoopbackServer(routes: service.routes(isAway: true)) { other in
                service.open(home: home.url, other: other.url)
                // Chance may leave a fault out, so more sequences follow until all were met.
                for round in 1...8 where !coverage.isComplete {
                    await Self.run(until: round * Self.calls, home.url, transport, service, folder, &coverage)
                }
            }
        }
        await transport.shutdown(.immediate)
        #expect(coverage.isComplete, "\(coverage), seed \(Self.seed)")
    }

    private static func run(
        until end: Int,
        _ home: String,
        _ transport: NIOTransport,
        _ service: FaultService,
        _ folder: TemporaryFolder,
        _ coverage: inout Coverage
    ) async {
        await withTaskGroup(of: Coverage.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    var coverage = Coverage()
                    while let number = service.nextNumber(below: end) {
                        let plan = FaultPlan(number, seed: seed)
                        let end = await call(plan, home, transport, service, folder)
                        check(plan, end, service.arrivals(of: plan), &coverage)
                    }
                    return coverage
                }
            }
            for await part in group {
                coverage.faults.merge(part.faults, uniquingKeysWith: +)
                coverage.reasons.merge(part.reasons, uniquingKeysWith: +)
            }
        }
    }

    // MARK: A call

    private static func call(
        _ plan: FaultPlan,
        _ home: String,
        _ transport: NIOTransport,
        _ service: FaultService,
        _ folder: TemporaryFolder
    ) async -> End {
        let (clock, begin) = (MovedClock(), Gate())
        let site = site(plan, home, transport, clock)
        let task = Task {
            try? await begin.wait()
            return await end(of: plan, site, folder)
        }
        service.expect(plan, cancel: { task.cancel() }, delay: { clock.move(by: .seconds(20)) })
        begin.open()
        return await task.value
    }

    private static func site(
        _ plan: FaultPlan,
        _ home: String,
        _ transport: NIOTransport,
        _ clock: MovedClock
    ) -> Resource {
        let site = Resource(home, transport: transport.watched) {
            let backoff = RetryBackoff(base: .zero, cap: .zero)
            $0.retry = RetryPolicy(limit: plan.retries, backoff: backoff, budget: nil)
            $0.redirects = RedirectPolicy(limit: plan.redirects, sendsBodiesToOtherOrigins: plan.number % 2 == 0)
            $0.clock = clock
            $0.deadline = .seconds(10)
            if plan.expects { $0.expectsContinue = plan.waitsForPermission ? .seconds(600) : .zero }
            if plan.isIntercepted { $0.maxConcurrentRequests = 1 }
        }
        guard plan.isIntercepted else { return site }
        let other = site["else"]
        other.setRules { $0.interceptors = .replacing([]) }
        site.setRules {
            $0.interceptors = [
                { request, next in
                    let answer = try await next(request)
                    guard answer.head.status == .internalServerError else { return answer }
                    // The response is held meanwhile, and yet there is a slot.
                    _ = try await other.get()
                    answer.body.cancel()
                    return try await next(request)
                }
            ]
        }
        return site
    }

    private static func end(of plan: FaultPlan, _ site: Resource, _ folder: TemporaryFolder) async -> End {
        var headers: Headers = [.authorization: "Bearer t", .cookie: "a=b", "X-Secret": "s"]
        if plan.hasKey { headers["Idempotency-Key"] = "\"\(plan.number)\"" }
        let call = site[path: plan.path].call(plan.method, payload(plan), headers: headers)
        do {
            switch plan.use {
            case .memory:
                let response = try await call.send()
                return End(status: response.statusCode, bytes: response.bytes.bytes, records: response.attempts)
            case .stream:
                let stream = try await call.stream(anyStatus: true)
                var bytes: [UInt8] = []
                for try await chunk in stream { bytes += chunk.bytes }
                return End(status: stream.statusCode, bytes: bytes, records: stream.attempts)
            case .file:
                let file = try await call.download(to: .file("\(folder.path)/\(plan.number)")).send()
                return End(status: 200, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: file.path))))
            }
        } catch let error as CumulusError {
            return End(error: error, records: plan.use == .file ? nil : error.attempts)
        } catch {
            return End(error: error)
        }
    }

    private static func payload(_ plan: FaultPlan) -> Payload {
        let write: @Sendable (Int64, BodyWriter) async throws -> Void = { _, writer in
            for _ in 0..<3 { try await writer.write(ByteChunk("abc")) }
        }
        return switch plan.payload {
        case .none: .none
        case .bytes: .text("abcabcabc")
        case .restartable: .raw(.stream(StreamBody(length: 9, replay: .restartable, contents: write)))
        case .once: .raw(.stream(StreamBody(length: 9, contents: write)))
        }
    }

    // MARK: What must hold

    private static func check(
        _ plan: FaultPlan,
        _ end: End,
        _ arrivals: [FaultService.Arrival],
        _ coverage: inout Coverage
    ) {
        for arrival in arrivals { coverage.faults[arrival.fault, default: 0] += 1 }
        for record in end.records ?? [] { coverage.reasons[record.reason, default: 0] += 1 }
        for (index, arrival) in arrivals.enumerated() {
            let later = arrivals[(index + 1)...]
            // Bytes of another resource are not appended: the whole is requested again after such a response.
            let isDropped = arrival.isRest && arrivals[..<index].contains { $0.fault == .away || $0.fault == .near }
            if arrival.fault == .none, !later.isEmpty, !isDropped {
                Issue.record("a request after the answer; \(plan), \(arrivals.map(\.fault)), seed \(seed)")
            }
            if let words = violation(plan, arrival, later) {
                Issue.record("\(words); \(plan), \(arrivals.map(\.fault)), seed \(seed)")
            }
        }
        if plan.payload == .once, arrivals.count(where: \.hasBody) > 1 {
            Issue.record("a once-only body arrived twice; \(plan), seed \(seed)")
        }
        if let status = end.status, status == 200 || status == 206, end.bytes != plan.content {
            Issue.record("\(end.bytes.count) bytes, or other ones; \(plan), \(arrivals.map(\.fault)), seed \(seed)")
        }
        if let words = violation(plan, end, arrivals) {
            let records = (end.records ?? []).map(\.description).joined(separator: " | ")
            Issue.record("\(words); \(plan), \(arrivals.map(\.fault)), records \(records), seed \(seed)")
        }
    }

    /// What is wrong with an arrival and those after it.
    private static func violation(
        _ plan: FaultPlan,
        _ arrival: FaultService.Arrival,
        _ later: ArraySlice<FaultService.Arrival>
    ) -> String? {
        switch arrival.fault {
        case .cancelled where !later.isEmpty: return "a request after a cancellation"
        case .late where !later.isEmpty: return "a request after the deadline"
        case .busyForLong where !later.isEmpty: return "a request although the server wants none for so long"
        default: break
        }
        if arrival.isAway, !arrival.secrets.isEmpty || arrival.key != nil {
            return "\(arrival.secrets) at the other origin"
        }
        // A download, or a request for remaining bytes, begins where the call began. If such a request was redirected away, the
        // call itself has not left, so its own retry begins there, too: `ResumingBodyTests` has that sequence.
        if arrival.isAway, !arrival.isRest, plan.use != .file,
            later.contains(where: { !$0.isRest && !$0.secrets.isEmpty })
        {
            return "secrets after the origin was left"
        }
        guard !plan.isIdempotent(arrival.method), later.contains(where: { $0.method == arrival.method }) else {
            return nil
        }
        switch arrival.fault {
        case .near, .away, .misdirected, .expectation: return nil
        case .failed where plan.isIntercepted: return nil
        default: return "what isn't idempotent arrived again after \(arrival.fault)"
        }
    }

    /// What is wrong with a call's record.
    private static func violation(
        _ plan: FaultPlan,
        _ end: End,
        _ arrivals: [FaultService.Arrival]
    ) -> String? {
        guard let records = end.records else { return nil }
        let count = records.last?.number ?? 1
        // A connection that was closed meanwhile may have taken a request that nobody has read.
        let lost = records.count { if case .failed = $0.outcome { true } else { false } }
        if arrivals.count > count { return "\(arrivals.count) arrivals, \(count) recorded" }
        if count - arrivals.count > max(lost, records.isEmpty ? 1 : 0) {
            return "\(arrivals.count) arrivals, but \(count) recorded"
        }
        let retries = records.count { $0.reason == .retry || $0.reason == .resume }
        if retries > plan.retries { return "\(retries) retries" }
        if records.count(where: { $0.reason == .redirect }) > plan.redirects + lost { return "too many redirects" }
        var repetitions = 0
        for record in records {
            switch record.reason {
            case .staleConnection, .unprocessed, .expectation, .misdirected, .requestTimeout: repetitions += 1
            default: repetitions = 0
            }
            if repetitions > 3 { return "more than three repetitions within an attempt" }
        }
        return nil
    }
}
