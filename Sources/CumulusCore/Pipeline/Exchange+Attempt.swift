// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

extension Exchange {
    /// The data that an attempt needs of its call.
    struct Attempting: Sendable {
        let call: CallContext
        let use: BodyUse
        /// Whether it asks for the rest of a response, which is no store's business.
        var isRest = false
        /// Whether an interceptor has sent a request in this attempt before: a store must not wait for that.
        var isRepeated = false
        var mayWait = true
        /// What the call did before.
        let history: CallHistory
        /// The responses that hooks hold, whose slots are free meanwhile; `nil` if none can.
        var held: HeldResponses?
        /// What its interceptors sent; `nil` without interceptors.
        var note: SentRequestNote?

        /// Whether the request goes to the call's origin, as all requests before it did.
        var isAtHome: Bool { !history.hasLeftOrigin }
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
                isDownload: context.use == .download,
                offersIdentity: context.isAtHome
            )
            return .success(try await transmission.send(sent, context.call, by: permit) { nil })
        } catch {
            return .failure(error)
        }
    }

    /// An attempt with everything that may stand around the transport.
    func fullAttempt(
        _ request: EncodedRequest,
        _ context: Attempting,
        _ history: inout CallHistory,
        by permit: consuming SendPermit
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentRequest?) {
        var outcome = await attempt(request, context, by: permit)
        if var earlier = outcome.sent?.earlier {
            // What an interceptor returns may be its own, or an earlier response: all that led to them is recorded here.
            if case .success(let answer) = outcome.result, let ended = outcome.sent?.ended {
                if case .failed = ended.end.outcome { earlier.append(ended) } else { earlier.append(ended.earlier) }
                let head = answer.head.earlier.isEmpty ? answer.head : answer.head.after(EarlierExchanges())
                outcome.result = .success(TransportResponse(head: head, body: answer.body))
            } else if case .failure(let error) = outcome.result, (error as? CumulusError)?.earlier.isEmpty != false,
                let ended = outcome.sent?.ended
            {
                earlier.append(ended.earlier)
            }
            history.add(earlier, of: request, context.call.started)
        }
        return outcome
    }

    /// One attempt: interceptors, stores, proof, a slot, the transport; returns the sent request if hooks may have
    /// changed it.
    func attempt(
        _ request: EncodedRequest,
        _ context: Attempting,
        by permit: consuming SendPermit
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentRequest?) {
        let note = interception.isEmpty ? nil : SentRequestNote()
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
            let plain = context.isAtHome ? changed : try recovery.rules.redirect.harmless(changed, asked: request)
            let again = note.request.map { plain.guarded(as: $0) } ?? plain
            var own = context
            own.note = note
            let first = permits.withLock { $0.take() }
            own.isRepeated = first == nil
            let permit = try first ?? another(again)
            var (sent, stored) = try await prepared(again, of: request, own)
            note.begin(sent)
            if let stored { return stored }
            do {
                defer { if sent.isRenewed { note.renew(sent) } }
                let answer = try await transmit(&sent, own, by: permit)
                note.end(.answered(answer.head.status), after: answer.head.earlier, at: clock.moment, answer.body)
                return answer
            } catch {
                note.end(.failed(error), after: (error as? CumulusError)?.earlier, at: clock.moment)
                throw error
            }
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
                by: permit
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
            isDownload: context.use == .download,
            offersIdentity: context.isAtHome
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
        return TransportResponse(
            head: answer.head,
            body: ResponseBody(expectedLength: answer.body.expectedLength, source: body)
        )
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
