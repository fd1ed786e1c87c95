// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

extension AttemptLoop {
    /// The data of its call that an attempt needs.
    struct AttemptContext: Sendable {
        let call: CallContext
        var options: SendOptions
        /// Whether an interceptor has already sent a request in this attempt. A store must not wait for that request.
        var isRepeated = false
        /// Recovery's memory of the attempts before it.
        let memory: Recovery.Memory
        /// The reason for the attempt.
        let reason: AttemptRecord.Reason
        /// The responses that hooks hold, whose slots are free in the meantime; `nil` if no hook can hold one.
        var held: HeldResponses?
        /// The moment when it began; `nil` for the start of the call.
        var began: Moment?
        /// The number of its first exchange in the call's record.
        var first = 1
        /// The number of the exchange that ended it.
        var number = 0
        /// The request that its interceptors sent last; `nil` without interceptors.
        var note: SentRequestNote?
    }

    /// Makes an attempt that only involves the transport.
    @inline(__always)
    func plainAttempt(
        _ request: EncodedRequest,
        _ context: AttemptContext,
        by approval: consuming SendApproval
    ) async -> Result<TransportResponse, any Error> {
        do {
            let sent = Transmission.AuthorizedRequest(
                request: request,
                shown: request,
                isDownload: context.options.use == .download,
                offersIdentity: !context.memory.redirects.haveLeft(request.origin)
            )
            return .success(try await transmission.send(sent, context.call, by: approval, from: context.began) { nil })
        } catch {
            return .failure(error)
        }
    }

    /// Makes one attempt: interceptors, stores, authorization, a slot, the transport. Returns the sent request if hooks
    /// may have changed it.
    func attempt(
        _ request: EncodedRequest,
        _ context: AttemptContext,
        by approval: consuming SendApproval
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentRequest?) {
        let note = context.note
        var sent: SentRequest?
        do {
            let response: TransportResponse
            if let note {
                response = try await intercepted(request, context, noting: note, by: approval)
            } else if hasNoHooks {
                var own = SentRequest(request)
                response = try await transmit(&own, context, by: approval)
            } else {
                var (own, stored) = try await prepared(request, of: request, context)
                defer { sent = own }
                if let stored { response = stored } else { response = try await transmit(&own, context, by: approval) }
            }
            return (.success(response), note?.request ?? sent)
        } catch {
            context.call.observation?.failed(error)
            return (.failure(error), note?.request ?? sent)
        }
    }

    private func intercepted(
        _ request: EncodedRequest,
        _ context: AttemptContext,
        noting note: SentRequestNote,
        by approval: consuming SendApproval
    ) async throws -> TransportResponse {
        defer { note.isOver.store(true, ordering: .relaxed) }
        // The attempt's approval is for the first request only. Recovery must approve each further one.
        let approvals = Mutex<SendApproval?>(approval)
        let attempt = Next { [self] changed in
            try note.check()
            guard changed.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: changed.origin)
            }
            try changed.checkFields(at: .interception)
            let hasLeft = context.memory.redirects.haveLeft(request.origin)
            let plain = hasLeft ? try recovery.rules.redirect.harmless(changed, asked: request) : changed
            let again = note.request.map { plain.guarded(as: $0) } ?? plain
            var own = context
            let first = approvals.withLock { $0.take() }
            own.isRepeated = first == nil
            if first == nil {
                own.began = clock.moment
                if let before = note.number { context.call.record.close(before, at: clock.moment) }
            }
            let approval = try first ?? another(again)
            var (sent, stored) = try await prepared(again, of: request, own)
            note.begin(sent)
            if let stored { return stored }
            defer { if sent.isRenewed { note.begin(sent) } }
            let response = try await transmit(&sent, own, by: approval)
            note.end(response.body.exchange)
            return response
        }
        return try await interceptors.run(request, attempt: attempt)
    }

    /// Approves one more request of an interceptor.
    private func another(_ request: EncodedRequest) throws -> SendApproval {
        do {
            return try Recovery.another(request)
        } catch {
            throw Stage.describe(error, .transmission, .requestBody, request: request)
        }
    }

    /// The innermost part of an attempt, after its authorization: a rate limit's permit, a slot, and the transport.
    ///
    /// Stores are the only user code that runs here. Once there is a slot, nothing waits until the head arrives, or
    /// until slot and permit are released to authorize the request again.
    private func transmit(
        _ sent: inout SentRequest,
        _ context: AttemptContext,
        by approval: consuming SendApproval
    ) async throws -> TransportResponse {
        do {
            return try await exchange(&sent, context, by: approval)
        } catch {
            // Other calls may wait for this visit, and so may a later attempt of this call.
            sent.visits?.failed()
            throw error
        }
    }

    private func exchange(
        _ sent: inout SentRequest,
        _ context: AttemptContext,
        by approval: consuming SendApproval
    ) async throws -> TransportResponse {
        var admission = rateLimiter == nil && limit.limiter == nil ? nil : try await admit(sent.plain, context)
        do { try context.note?.check() } catch {
            admission?.permit?.giveBack()
            throw error
        }
        context.call.observation?.sending(sent.authorized)
        let sending = context.call.observation.map { _ in SendingReport.Latest() }
        // Errors show the request without its credentials.
        let response: TransportResponse
        let asked = sent.visits == nil ? nil : clock.moment
        do {
            response = try await transmission.send(
                passed(sent, context, sending),
                context.call,
                by: approval,
                from: context.began
            ) {
                guard authorization.provesOnce else { return nil }
                // An authorizer may wait, and send requests of its own.
                admission?.end()
                admission = nil
                try await renew(&sent, context)
                admission = try await readmit(sent.plain, context)
                try context.note?.check()
                return passed(sent, context, sending)
            }
        } catch {
            admission?.permit?.failed()
            throw error
        }
        admission?.permit?.answered(response.head)
        let observed = context.call.observation?.answered(response, to: sending) ?? response
        let own = try answered(observed, sent, context, holding: admission?.slot)
        guard let stores, let visits = sent.visits, let asked else { return own }
        let chosen = await stores.received(own, visits, to: sent.authorized, asked: asked, context.call)
        return await tapped(chosen, visits)
    }

    /// The request for the transport: its body is throttled, and counted for observers.
    private func passed(
        _ sent: SentRequest,
        _ context: AttemptContext,
        _ sending: SendingReport.Latest?
    ) -> Transmission.AuthorizedRequest {
        var request = sent.unfinished
        if bandwidth.isOn || context.call.observation != nil {
            request = progress.counting(bandwidth.throttled(request), of: request.body, context.call, sending)
        }
        return Transmission.AuthorizedRequest(
            request: request,
            fields: sent.fields,
            shown: sent.shown,
            isDownload: context.options.use == .download,
            offersIdentity: !context.memory.redirects.haveLeft(request.origin)
        )
    }

    /// Passes a response to cookies and authorizers, and makes its body hold the slot.
    private func answered(
        _ response: TransportResponse,
        _ sent: SentRequest,
        _ context: AttemptContext,
        holding slot: Limit.Slot?
    ) throws -> TransportResponse {
        var response = response
        if !addsNoCredentials {
            // Stored responses don't come this way: their cookies were stored when they arrived.
            let dropped = cookieJar?.keep(response.head, of: sent.plain, by: transmission.proxies) ?? 0
            if dropped > 0 { context.call.observation?.dropped(cookies: dropped) }
            if authorization.answersChallenges { response = try examined(response, sent, context) }
        }
        guard let slot else { return response }
        let body = LimitedBody(response.body, slot, of: limit, context.call, on: clock, held: context.held)
        return TransportResponse(head: response.head, body: response.body.wrapped(by: body))
    }
}

/// An interceptor or authorizer tried to send a request to another origin.
struct OriginChanged: Error, CustomStringConvertible {
    let from: Origin
    let to: Origin

    var description: String { "a hook may not change a request's origin from \(from) to \(to)" }
}

/// An interceptor called `next` after it had returned.
struct AttemptIsOver: Error, CustomStringConvertible {
    let description = "an interceptor called `next` after it had returned: nothing was sent"
}
