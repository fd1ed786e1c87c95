// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rate limiter of a subtree.
///
/// Requests wait for permits in a separate line for each origin, and for a server's quota in one for each origin and
/// user; first come, first served.
final class RateLimiter: Sendable {
    /// A line of waiting requests.
    struct Line: Sendable, Hashable {
        let origin: Origin
        /// The user whose quota it follows; `nil` for the rate, which all users of an origin share.
        let user: StorePartition?
    }

    /// The maximum number of lines, more than a subtree uses at one time.
    ///
    /// A server could lead to any number of origins with redirects, and a tree may serve any number of users.
    static let mostLines = 4_096

    /// The error of a request that may not wait and gets no permit.
    struct NoPermit: Error {}

    private struct State {
        var rateLimit: RateLimit?
        /// The version of the rules that contain the rate limit.
        var version: UInt64 = 0
        var queues: [Line: RateLimiterQueue] = [:]
        var observers = QuotaObservers()

        /// Edits a line in place.
        ///
        /// If there are too many, the least recently used quarter is removed, without those that are in use.
        mutating func queue<Output>(of line: Line, at now: Moment, _ work: (inout RateLimiterQueue) -> Output)
            -> Output
        {
            if queues.count >= RateLimiter.mostLines, queues[line] == nil {
                let idle = queues.filter(\.value.isIdle).sorted { $0.value.usedAt < $1.value.usedAt }
                for (old, _) in idle.prefix(max(1, RateLimiter.mostLines / 4)) { queues[old] = nil }
            }
            return work(&queues[line, default: RateLimiterQueue(rateLimit?.part(of: line), at: now)])
        }
    }

    private let state = Mutex(State())

    /// The number of lines, and of waiting requests in all of them.
    var counts: (lines: Int, waiting: Int) {
        state.withLock { state in (state.queues.count, state.queues.values.reduce(0) { $0 + $1.line.waiting }) }
    }

    /// Whether the rate limit has a rate, and not only a quota.
    var hasRate: Bool { state.withLock { $0.rateLimit?.rate != nil } }

    /// The latest quota that an origin reported to a user.
    func quota(of line: Line) -> RequestQuota? { state.withLock { $0.queues[line]?.line.quota } }

    /// The current quota of an origin and a user, and then each change.
    ///
    /// A slow reader only receives the latest.
    func quotas(of line: Line) -> AsyncStream<RequestQuota> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                if let known = state.queues[line]?.line.quota { continuation.yield(known) }
                return state.observers.add(continuation, of: line)
            }
            continuation.onTermination = { _ in self.state.withLock { $0.observers.remove(number) } }
        }
    }

    /// Changes the rate limit, even for waiting requests.
    ///
    /// A rate limit of older rules than the limiter has seen is ignored.
    func change(to rateLimit: RateLimit?, on clock: any RequestClock, asOf version: UInt64 = 0) {
        let now = clock.moment
        let lines = state.withLock { state -> [Line] in
            guard version >= state.version else { return [] }
            state.version = version
            guard state.rateLimit != rateLimit else { return [] }
            state.rateLimit = rateLimit
            for line in state.queues.keys { state.queues[line]?.line.change(to: rateLimit?.part(of: line), at: now) }
            return Array(state.queues.keys)
        }
        for line in lines { change(line, on: clock) { _ in false } }
    }

    /// Starts a request, waiting for a permit if necessary.
    ///
    /// When a wait begins, it is passed to `attach`, so that it can be ended from outside; `attach` returns false if
    /// the request is already over. Without `mayWait`, ``NoPermit`` is thrown instead of waiting. The time until `end`
    /// counts from `started`, or from now.
    ///
    /// - Throws: `CancellationError` if the task, or the wait from outside, is cancelled; ``TransportFailure`` if it
    ///   would take too long.
    func enter(
        _ line: Line,
        until end: Moment?,
        since started: Moment? = nil,
        on clock: any RequestClock,
        attach: (@Sendable (any CancellableExchange) -> Bool)?,
        mayWait: Bool = true
    ) async throws -> RateLimiterPermit {
        let permit = RateLimiterPermit(self, line, clock)
        let number = try place(line, until: end, since: started, on: clock, mayWait: mayWait)
        guard let number else { return permit }
        let wait = PermitWait(limiter: self, line: line, number: number, clock: clock)
        let timer = end.map { self.timer(wait, until: $0, since: started) }
        defer { timer?.cancel() }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    guard state.queues[line] != nil else { return .failure(CancellationError()) }
                    return state.queues[line]?.waiters.begin(number, continuation)
                }
                if let outcome { continuation.resume(with: outcome) }
                if let attach, !attach(wait) { wait.cancelExchange() }
            }
        } onCancel: {
            wait.cancelExchange()
        }
        return permit
    }

    /// Starts a request if no other one waits and it may start now.
    func enterIfFree(_ line: Line, on clock: any RequestClock) -> RateLimiterPermit? {
        let now = clock.moment
        let isFree = state.withLock { $0.queue(of: line, at: now) { $0.enterIfFree(at: now) } }
        return isFree ? RateLimiterPermit(self, line, clock) : nil
    }

    func received(_ head: ResponseHead, of line: Line, on clock: any RequestClock) {
        let quota = RequestQuota(head.headers, status: head.status, at: Date())
        let now = clock.moment
        change(line, on: clock) { $0.record(quota, at: now) }
    }

    fileprivate func giveUp(_ wait: PermitWait, because error: any Error) {
        let now = wait.clock.moment
        let (waiter, effects) = state.withLock { state -> (WaitingContinuations.Continuation?, RateLimiterEffects) in
            guard state.queues[wait.line] != nil else { return (nil, RateLimiterEffects()) }
            return state.queue(of: wait.line, at: now) { queue in
                guard queue.line.giveUp(wait.number) else { return (nil, RateLimiterEffects()) }
                let waiter = queue.waiters.settle(wait.number, .failure(error))
                return (waiter, settle(&queue, of: wait.line, at: now, on: wait.clock))
            }
        }
        waiter?.resume(throwing: error)
        effects.run()
    }

    /// Changes a line, and admits the requests that may start now.
    ///
    /// If the edit returns that the quota has changed, the observers are notified.
    func change(_ line: Line, on clock: any RequestClock, _ edit: (inout RateLimiterState) -> Bool) {
        let now = clock.moment
        let effects = state.withLock { state -> RateLimiterEffects in
            guard state.queues[line] != nil else { return RateLimiterEffects() }
            var news: RequestQuota?
            let effects = state.queue(of: line, at: now) { queue in
                if edit(&queue.line) { news = queue.line.quota }
                return settle(&queue, of: line, at: now, on: clock)
            }
            if let news { state.observers.tell(news, of: line) }
            return effects
        }
        effects.run()
    }

    /// Returns the request's number in the line; `nil` for a request that has started.
    private func place(
        _ line: Line,
        until end: Moment?,
        since started: Moment?,
        on clock: any RequestClock,
        mayWait: Bool
    ) throws -> UInt64? {
        let now = clock.moment
        let (place, effects) = state.withLock { state in
            state.queue(of: line, at: now) { queue -> (Result<UInt64?, any Error>, RateLimiterEffects) in
                if queue.enterIfFree(at: now) { return (.success(nil), RateLimiterEffects()) }
                guard mayWait else { return (.failure(NoPermit()), RateLimiterEffects()) }
                if let excess = queue.line.excess(at: now) {
                    return (.failure(RateLimiterProblem(excess, line.origin).failure), RateLimiterEffects())
                }
                if let end, let estimate = queue.line.estimate(at: now), estimate >= end {
                    let deadline = RateLimiterProblem.Deadline(end, since: started ?? now, now: now)
                    let problem = RateLimiterProblem(.tooLate(estimate - now, deadline), line.origin)
                    return (.failure(problem.failure), RateLimiterEffects())
                }
                let number = queue.line.append()
                return (.success(number), settle(&queue, of: line, at: now, on: clock))
            }
        }
        effects.run()
        return try place.get()
    }

    private func settle(
        _ queue: inout RateLimiterQueue,
        of line: Line,
        at now: Moment,
        on clock: any RequestClock
    ) -> RateLimiterEffects {
        queue.settle(line.origin, at: now) { alarm(of: line, at: $0, on: clock) }
    }

    private func alarm(of line: Line, at instant: Moment, on clock: any RequestClock) -> Task<Void, Never> {
        Task { [weak self] in
            do { try await clock.sleep(until: instant.instant) } catch { return }
            self?.change(line, on: clock) { _ in false }
        }
    }

    /// Ends a wait at an instant; only waiting requests have such a timer.
    private func timer(_ wait: PermitWait, until end: Moment, since started: Moment?) -> Task<Void, Never> {
        let began = wait.clock.moment
        return Task { [weak self] in
            do { try await wait.clock.sleep(until: end.instant) } catch { return }
            let now = wait.clock.moment
            let deadline = RateLimiterProblem.Deadline(end, since: started ?? began, now: now)
            self?.giveUp(
                wait,
                because: RateLimiterProblem(.deadline(deadline, waited: now - began), wait.line.origin).failure
            )
        }
    }
}

/// One request that waits for a permit.
private final class PermitWait: CancellableExchange {
    private let limiter: RateLimiter
    let line: RateLimiter.Line
    let number: UInt64
    let clock: any RequestClock

    init(limiter: RateLimiter, line: RateLimiter.Line, number: UInt64, clock: any RequestClock) {
        self.limiter = limiter
        self.line = line
        self.number = number
        self.clock = clock
    }

    func cancelExchange() { limiter.giveUp(self, because: CancellationError()) }
}

/// The effects of a change to a line, to run after its lock is released.
struct RateLimiterEffects: Sendable {
    /// The requests that get a permit.
    var admitted: [WaitingContinuations.Continuation] = []
    /// The requests that get no permit, because of the problem.
    var dismissed: [WaitingContinuations.Continuation] = []
    var problem: RateLimiterProblem?
    /// The alarm that is no longer needed.
    var alarm: Task<Void, Never>?

    func run() {
        alarm?.cancel()
        for waiter in admitted { waiter.resume() }
        if let problem { for waiter in dismissed { waiter.resume(throwing: problem.failure) } }
    }
}
