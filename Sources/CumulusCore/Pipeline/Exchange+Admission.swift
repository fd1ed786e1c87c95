// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Exchange {
    /// An attempt's admission, held once it may be sent: its turn at a rate limit, and a slot of a limit.
    struct Admission: Sendable {
        let pass: RateLimiterTurn?
        let slot: Limit.Slot?

        /// Gives both back: the request has ended, and another one follows.
        func end() {
            pass?.failed()
            slot?.leave()
        }
    }

    /// Waits for both once more: another exchange follows one that has ended, so it may wait, whatever the first one did.
    func readmit(_ request: EncodedRequest, _ context: Attempting) async throws -> Admission? {
        guard rateLimiter != nil || limit.limiter != nil else { return nil }
        var waiting = context
        waiting.options.mayWait = true
        return try await admit(request, waiting)
    }

    /// Waits for both; it holds neither while it waits.
    func admit(_ request: EncodedRequest, _ context: Attempting) async throws -> Admission {
        do {
            let (pass, slot) = try await turn(request.origin, context)
            do { try context.call.check() } catch {
                pass?.giveBack()
                throw error
            }
            return Admission(pass: pass, slot: slot)
        } catch is RateLimiter.Closed {
            throw Limit.Full()
        } catch {
            throw Stage.describe(error, .transmission, .transport, request: request)
        }
    }

    private func turn(_ origin: Origin, _ context: Attempting) async throws -> (RateLimiterTurn?, Limit.Slot?) {
        guard let rateLimiter else { return (nil, try await slot(context)) }
        while true {
            let pass = try await enter(rateLimiter, origin, context)
            guard let limiter = limit.limiter else { return (pass, nil) }
            if limiter.enterIfFree() { return (pass, limit.slot(of: limiter)) }
            // Its turn goes to another request instead of bunching with others when slots are free.
            pass.giveBack()
            let slot = try await slot(context)
            if let pass = rateLimiter.enterIfFree(origin, on: clock) { return (pass, slot) }
            slot?.leave()
        }
    }

    private func enter(
        _ rateLimiter: RateLimiter,
        _ origin: Origin,
        _ context: Attempting
    ) async throws -> RateLimiterTurn {
        let call = context.call
        let began = call.observation == nil ? nil : clock.moment
        let pass = try await rateLimiter.enter(
            origin,
            until: call.end,
            since: call.started,
            on: clock,
            attach: call.listing?.attach,
            mayWait: context.options.mayWait
        )
        if let began, clock.moment > began, let observation = call.observation {
            let waited = clock.moment - began
            // The system's clock advances even if there was no wait.
            if waited >= .milliseconds(1) { observation.tell(.waited(waited)) }
        }
        return pass
    }

    private func slot(_ context: Attempting) async throws -> Limit.Slot? {
        try await limit.enter(context.call, on: clock, mayWait: context.options.mayWait)
    }
}
