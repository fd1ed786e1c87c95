// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The limits of a subtree: a rate limit, and a limit of concurrent requests.
final class LimitStage: Sendable {
    let limit: Limit
    /// The rate limit's limiter; `nil` if nothing limits the rate of requests.
    private let rateLimiter: RateLimiter?
    private let clock: any RequestClock

    /// `nil` without limits.
    init?(_ limiters: SettingsSnapshot.Limiters, on clock: any RequestClock) {
        guard limiters.limit != nil || limiters.rateLimiter != nil else { return nil }
        limit = Limit(limiter: limiters.limit)
        rateLimiter = limiters.rateLimiter
        self.clock = clock
    }

    /// The admission of an attempt that may be sent: its permit from the rate limit, and its slot of the concurrency
    /// limit.
    struct Admission: Sendable {
        let permit: RateLimiterPermit?
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
            let (permit, slot) = try await permitAndSlot(request.origin, context)
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

    private func permitAndSlot(_ origin: Origin, _ context: AttemptContext) async throws -> (
        RateLimiterPermit?, Limit.Slot?
    ) {
        guard let rateLimiter else { return (nil, try await slot(context)) }
        while true {
            let permit = try await enter(rateLimiter, origin, context)
            guard let limiter = limit.limiter else { return (permit, nil) }
            if limiter.enterIfFree() { return (permit, limit.slot(of: limiter)) }
            // The permit goes to another request. Otherwise permits would accumulate, and be used together once slots
            // are free.
            permit.giveBack()
            let slot = try await slot(context)
            if let permit = rateLimiter.enterIfFree(origin, on: clock) { return (permit, slot) }
            slot?.leave()
        }
    }

    private func enter(
        _ rateLimiter: RateLimiter,
        _ origin: Origin,
        _ context: AttemptContext
    ) async throws -> RateLimiterPermit {
        let call = context.call
        let began = call.observation == nil ? nil : clock.moment
        let permit = try await rateLimiter.enter(
            origin,
            until: call.end,
            since: call.started,
            on: clock,
            attach: call.listing?.attach,
            mayWait: context.options.mayWait
        )
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
