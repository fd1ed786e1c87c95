// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

extension Exchange {
    /// The data that an attempt needs of its call.
    struct Attempting: Sendable {
        let call: CallContext
        var options: SendOptions
        /// Whether an interceptor has sent a request in this attempt before: a store must not wait for that.
        var isRepeated = false
        /// What the attempts before it have left.
        let memory: Recovery.Memory
        /// Why it is made.
        let reason: AttemptRecord.Reason
        /// The responses that hooks hold, whose slots are free meanwhile; `nil` if none can.
        var held: HeldResponses?
        /// When it began; `nil` for the start of the call.
        var began: Moment?
        /// The number of its first exchange in the call's record.
        var first = 1
        /// The number of the exchange that ended it.
        var number = 0
        /// What its interceptors sent; `nil` without interceptors.
        var note: SentRequestNote?
    }

    /// An attempt that concerns the transport only.
    @inline(__always)
    func plainAttempt(
        _ request: EncodedRequest,
        _ context: Attempting,
        by permit: consuming SendPermit
    ) async -> Result<TransportResponse, any Error> {
        do {
            let sent = Transmission.Proven(
                request: request,
                shown: request,
                isDownload: context.options.use == .download,
                offersIdentity: !context.memory.redirects.haveLeft(request.origin)
            )
            return .success(try await transmission.send(sent, context.call, by: permit, from: context.began) { nil })
        } catch {
            return .failure(error)
        }
    }

    /// One attempt: interceptors, stores, proof, a slot, the transport; returns the sent request if hooks may have
    /// changed it.
    func attempt(
        _ request: EncodedRequest,
        _ context: Attempting,
        by permit: consuming SendPermit
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentRequest?) {
        let note = context.note
        var sent: SentRequest?
        do {
            let answer: TransportResponse
            if let note {
                answer = try await intercepted(request, context, noting: note, by: permit)
            } else if hasNoHooks {
                var own = SentRequest(request)
                answer = try await transmit(&own, context, by: permit)
            } else {
                var (own, stored) = try await prepared(request, of: request, context)
                defer { sent = own }
                if let stored { answer = stored } else { answer = try await transmit(&own, context, by: permit) }
            }
            return (.success(answer), note?.request ?? sent)
        } catch {
            context.call.observation?.failed(error)
            return (.failure(error), note?.request ?? sent)
        }
    }

    private func intercepted(
        _ request: EncodedRequest,
        _ context: Attempting,
        noting note: SentRequestNote,
        by permit: consuming SendPermit
    ) async throws -> TransportResponse {
        defer { note.isOver.store(true, ordering: .relaxed) }
        // The attempt's permit is for one of them, the first; for each other one, recovery is asked.
        let permits = Mutex<SendPermit?>(permit)
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
            let first = permits.withLock { $0.take() }
            own.isRepeated = first == nil
            if first == nil {
                own.began = clock.moment
                if let before = note.number { context.call.record.close(before, at: clock.moment) }
            }
            let permit = try first ?? another(again)
            var (sent, stored) = try await prepared(again, of: request, own)
            note.begin(sent)
            if let stored { return stored }
            defer { if sent.isRenewed { note.begin(sent) } }
            let answer = try await transmit(&sent, own, by: permit)
            note.end(answer.body.exchange)
            return answer
        }
        return try await interception.run(request, attempt: attempt)
    }

    /// The permit for one more request of an interceptor.
    private func another(_ request: EncodedRequest) throws -> SendPermit {
        do {
            return try Recovery.another(request)
        } catch {
            throw Stage.describe(error, .transmission, .requestBody, request: request)
        }
    }

    /// The innermost part of an attempt, after its proof: its turn, a slot, and the transport.
    ///
    /// No user code but that of stores runs here, and once there is a slot nothing waits until the head arrives, or until
    /// slot and turn are given back for a new proof.
    private func transmit(
        _ sent: inout SentRequest,
        _ context: Attempting,
        by permit: consuming SendPermit
    ) async throws -> TransportResponse {
        do {
            return try await exchange(&sent, context, by: permit)
        } catch {
            // Others may wait for it, and so may what follows in this call.
            sent.hop?.failed()
            throw error
        }
    }

    private func exchange(
        _ sent: inout SentRequest,
        _ context: Attempting,
        by permit: consuming SendPermit
    ) async throws -> TransportResponse {
        var admission = rateLimiter == nil && limit.limiter == nil ? nil : try await admit(sent.plain, context)
        do { try context.note?.check() } catch {
            admission?.pass?.giveBack()
            throw error
        }
        context.call.observation?.sending(sent.proven)
        let sending = context.call.observation.map { _ in SendingReport.Latest() }
        // Errors show the request without its proof.
        let answer: TransportResponse
        let asked = sent.hop == nil ? nil : clock.moment
        do {
            answer = try await transmission.send(
                passed(sent, context, sending),
                context.call,
                by: permit,
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
            admission?.pass?.failed()
            throw error
        }
        admission?.pass?.answered(answer.head)
        let observed = context.call.observation?.answered(answer, to: sending) ?? answer
        let own = try answered(observed, sent, context, holding: admission?.slot)
        guard let storing, let hop = sent.hop, let asked else { return own }
        let response = await storing.received(own, hop, to: sent.proven, asked: asked, context.call)
        return await tapped(response, hop)
    }

    /// The request as it is passed on: its body is slowed down, and counted for observers.
    private func passed(
        _ sent: SentRequest,
        _ context: Attempting,
        _ sending: SendingReport.Latest?
    ) -> Transmission.Proven {
        var request = sent.unfinished
        if throttling.isOn || context.call.observation != nil {
            request = progress.counting(throttling.throttled(request), of: request.body, context.call, sending)
        }
        return Transmission.Proven(
            request: request,
            fields: sent.fields,
            shown: sent.shown,
            isDownload: context.options.use == .download,
            offersIdentity: !context.memory.redirects.haveLeft(request.origin)
        )
    }

    /// Handles a response: cookies and authorizers get it, and its body holds the slot.
    private func answered(
        _ answer: TransportResponse,
        _ sent: SentRequest,
        _ context: Attempting,
        holding slot: Limit.Slot?
    ) throws -> TransportResponse {
        var answer = answer
        if !provesNothing {
            // A stored response has no part in this: its cookies were kept when it came.
            let dropped = cookieJar?.keep(answer.head, of: sent.plain, by: transmission.proxies) ?? 0
            if dropped > 0 { context.call.observation?.dropped(cookies: dropped) }
            if authorization.answersChallenges { answer = try examined(answer, sent, context) }
        }
        guard let slot else { return answer }
        let body = LimitedBody(answer.body, slot, of: limit, context.call, on: clock, held: context.held)
        return TransportResponse(head: answer.head, body: answer.body.wrapped(by: body))
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
