// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The limits of a subtree: a rate limit, and a limit of concurrent requests.
final class LimitStage: Sendable {
    let limit: Limit
    /// The rate limit's limiter; `nil` if nothing limits the rate of requests.
    private let rateLimiter: RateLimiter?
    /// The users whose quotas are counted.
    private let partitions: RequestPartitions
    private let clock: any RequestClock

    /// `nil` without limits.
    init?(_ limiters: SettingsSnapshot.Limiters, _ partitions: RequestPartitions, on clock: any RequestClock) {
        guard limiters.limit != nil || limiters.rateLimiter != nil else { return nil }
        limit = Limit(limiter: limiters.limit)
        rateLimiter = limiters.rateLimiter
        self.partitions = partitions
        self.clock = clock
    }

    /// The admission of an attempt that may be sent: its permit from the rate limit, and its slot of the concurrency
    /// limit.
    struct Admission: Sendable {
        let permit: RequestPermit?
        let slot: Limit.Slot?

        /// Releases both: the request has ended, and another one follows.
        func end() {
            permit?.failed()
            slot?.leave()
        }
    }

    /// Waits for both again.
    ///
    /// Another exchange follows one that has ended, so it may wait, whether or not the first one could.
    func readmit(_ request: EncodedRequest, _ context: AttemptContext) async throws -> Admission {
        var waiting = context
        waiting.options.mayWait = true
        return try await admit(request, waiting)
    }

    /// Waits for both, and holds neither while it waits.
    func admit(_ request: EncodedRequest, _ context: AttemptContext) async throws -> Admission {
        do {
            let (permit, slot) = try await permitAndSlot(request, context)
            do { try context.call.check() } catch {
                permit?.giveBack()
                throw error
            }
            return Admission(permit: permit, slot: slot)
        } catch is RateLimiter.NoPermit {
            throw LimitReached()
        } catch {
            throw Stage.describe(error, .transmission, .transport, request: request)
        }
    }

    private func permitAndSlot(_ request: EncodedRequest, _ context: AttemptContext) async throws -> (
        RequestPermit?, Limit.Slot?
    ) {
        guard let rateLimiter else { return (nil, try await slot(context)) }
        let user = StorePartition(partitions.quotaUser(of: request, after: context.memory.redirects))
        let lines = Lines(limiter: rateLimiter, origin: request.origin, user: user, clock: clock)
        while true {
            let permit = try await enter(lines, context)
            guard let limiter = limit.limiter else { return (permit, nil) }
            if limiter.enterIfFree() { return (permit, limit.slot(of: limiter)) }
            // The permit goes to another request. Otherwise permits would accumulate, and be used together once slots
            // are free.
            permit.giveBack()
            let slot = try await slot(context)
            if let permit = lines.enterIfFree() { return (permit, slot) }
            slot?.leave()
        }
    }

    private func enter(_ lines: Lines, _ context: AttemptContext) async throws -> RequestPermit {
        let call = context.call
        let began = call.observation == nil ? nil : clock.moment
        let permit = try await lines.enter(context)
        if let began, clock.moment > began, let observation = call.observation {
            let waited = clock.moment - began
            // The system's clock advances even if the request didn't wait.
            if waited >= .milliseconds(1) { observation.tell(.waited(waited)) }
        }
        return permit
    }

    private func slot(_ context: AttemptContext) async throws -> Limit.Slot? {
        try await limit.enter(context.call, on: clock, mayWait: context.options.mayWait)
    }

    /// The response with a body that holds a slot until it ends.
    func holding(_ slot: Limit.Slot, _ response: TransportResponse, _ context: AttemptContext) -> TransportResponse {
        let body = LimitedBody(response.body, slot, of: limit, context.call, on: clock, held: context.held)
        return TransportResponse(head: response.head, body: response.body.wrapped(by: body))
    }
}

extension LimitStage {
    /// The lines in which a request waits for its permits: the rate's, which all users of an origin share, and its
    /// user's for the server's quota.
    fileprivate struct Lines {
        private let limiter: RateLimiter
        private let rate: RateLimiter.Line
        private let quota: RateLimiter.Line
        private let clock: any RequestClock

        init(limiter: RateLimiter, origin: Origin, user: StorePartition, clock: any RequestClock) {
            self.limiter = limiter
            rate = RateLimiter.Line(origin: origin, user: nil)
            quota = RateLimiter.Line(origin: origin, user: user)
            self.clock = clock
        }

        /// Waits for both permits, and holds neither while it waits for the other one.
        func enter(_ context: AttemptContext) async throws -> RequestPermit {
            while true {
                let quotaPermit = try await enter(quota, context)
                guard limiter.hasRate else { return RequestPermit(rate: nil, quota: quotaPermit) }
                if let ratePermit = limiter.enterIfFree(rate, on: clock) {
                    return RequestPermit(rate: ratePermit, quota: quotaPermit)
                }
                quotaPermit.giveBack()
                let ratePermit = try await enter(rate, context)
                if let quotaPermit = limiter.enterIfFree(quota, on: clock) {
                    return RequestPermit(rate: ratePermit, quota: quotaPermit)
                }
                ratePermit.giveBack()
            }
        }

        /// Takes both permits if the request needn't wait for them.
        func enterIfFree() -> RequestPermit? {
            guard let quotaPermit = limiter.enterIfFree(quota, on: clock) else { return nil }
            guard limiter.hasRate else { return RequestPermit(rate: nil, quota: quotaPermit) }
            guard let ratePermit = limiter.enterIfFree(rate, on: clock) else {
                quotaPermit.giveBack()
                return nil
            }
            return RequestPermit(rate: ratePermit, quota: quotaPermit)
        }

        private func enter(_ line: RateLimiter.Line, _ context: AttemptContext) async throws -> RateLimiterPermit {
            let call = context.call
            return try await limiter.enter(
                line,
                until: call.end,
                since: call.started,
                on: clock,
                attach: call.listing?.attach,
                mayWait: context.options.mayWait
            )
        }
    }
}
