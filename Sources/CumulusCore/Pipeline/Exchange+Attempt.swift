// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

extension Exchange {
    /// The data that an attempt needs of its call.
    struct Attempting: Sendable {
        let call: CallContext
        let use: BodyUse
        /// Whether it asks for the rest of a response, which is no store's business.
        let isRest: Bool
        /// Whether an interceptor has sent a request in this attempt before: a store must not wait for that.
        var isRepeated = false
        let mayWait: Bool
        let history: CallHistory
        /// The responses that hooks hold, whose slots are free meanwhile; `nil` if none can.
        let held: HeldResponses?

        /// Whether the request goes to the call's origin, as all requests before it did.
        var isAtHome: Bool { !history.hasLeftOrigin }
    }

    /// An attempt that concerns the transport only.
    @inline(__always)
    func plainAttempt(
        _ request: EncodedRequest,
        _ call: CallContext,
        _ history: CallHistory,
        _ use: BodyUse
    ) async -> Result<TransportResponse, any Error> {
        do {
            let isAtHome = !history.hasLeftOrigin
            return .success(
                try await transmission.send(
                    request,
                    shownAs: request,
                    call,
                    isDownload: use == .download,
                    offersIdentity: isAtHome
                )
            )
        } catch {
            return .failure(error)
        }
    }

    /// An attempt with everything that may stand around the transport.
    func fullAttempt(
        _ request: EncodedRequest,
        _ call: CallContext,
        _ history: inout CallHistory,
        _ use: BodyUse,
        _ isRest: Bool,
        _ mayWait: Bool,
        _ held: HeldResponses?
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentRequest?) {
        let context = Attempting(
            call: call,
            use: use,
            isRest: isRest,
            mayWait: mayWait,
            history: history,
            held: held
        )
        var outcome = await attempt(request, context)
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
            history.add(earlier, of: request, call.started)
        }
        return outcome
    }

    /// One attempt: interceptors, stores, proof, a slot, the transport; returns the sent request if hooks may have
    /// changed it.
    func attempt(
        _ request: EncodedRequest,
        _ context: Attempting
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentRequest?) {
        let note = interception.isEmpty ? nil : SentRequestNote()
        var sent: SentRequest?
        do {
            let answer: TransportResponse
            if let note {
                answer = try await intercepted(request, context, noting: note)
            } else if provesNothing, storing == nil {
                answer = try await send(SentRequest(request), context)
            } else {
                let (own, stored) = try await prepared(request, of: request, context)
                sent = own
                if let stored { answer = stored } else { answer = try await send(own, context) }
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
        noting note: SentRequestNote
    ) async throws -> TransportResponse {
        defer { note.isOver.store(true, ordering: .relaxed) }
        let isRepeated = Atomic(false)
        let attempt = Next { [self] changed in
            if note.isOver.load(ordering: .relaxed) { throw AttemptIsOver() }
            guard changed.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: changed.origin)
            }
            try changed.checkFields(at: .interception)
            let plain = context.isAtHome ? changed : try recovery.rules.redirect.harmless(changed, asked: request)
            let again = note.request.map { plain.guarded(as: $0) } ?? plain
            var own = context
            own.isRepeated = isRepeated.exchange(true, ordering: .relaxed)
            let (sent, stored) = try await prepared(again, of: request, own)
            note.begin(sent)
            if let stored { return stored }
            do {
                let answer = try await send(sent, context)
                note.end(.answered(answer.head.status), after: answer.head.earlier, at: clock.moment, answer.body)
                return answer
            } catch {
                note.end(.failed(error), after: (error as? CumulusError)?.earlier, at: clock.moment)
                throw error
            }
        }
        return try await interception.run(request, attempt: attempt)
    }

    /// The innermost part of an attempt, after its proof: its turn, a slot, and the transport.
    ///
    /// No user code but that of stores runs here, and once there is a slot nothing waits until the head arrives.
    private func send(_ sent: SentRequest, _ context: Attempting) async throws -> TransportResponse {
        do {
            return try await exchange(sent, context)
        } catch {
            // Others may wait for it, and so may what follows in this call.
            sent.hop?.failed()
            throw error
        }
    }

    private func exchange(_ sent: SentRequest, _ context: Attempting) async throws -> TransportResponse {
        let admission = rateLimiter == nil && limit.limiter == nil ? nil : try await admit(sent.plain, context)
        var outgoing = sent.unfinished
        if throttling.isOn || context.call.observation != nil {
            context.call.observation?.sending(sent.proven)
            outgoing = progress.counting(throttling.throttled(outgoing), of: outgoing.body, context.call)
        }
        // Errors show the request without its proof.
        let answer: TransportResponse
        let asked = sent.hop == nil ? nil : clock.moment
        do {
            answer = try await transmission.send(
                outgoing,
                with: sent.fields,
                shownAs: sent.shown,
                context.call,
                isDownload: context.use == .download,
                offersIdentity: context.isAtHome
            )
        } catch {
            admission?.pass?.failed()
            throw error
        }
        admission?.pass?.answered(answer.head)
        let own = try answered(answer, sent, context, admission)
        guard let storing, let hop = sent.hop, let asked else { return own }
        let response = await storing.received(own, hop, to: sent.proven, asked: asked, context.call)
        return await tapped(response, hop)
    }

    /// Handles a response: observers, cookies and authorizers get it, and its body holds the slot.
    private func answered(
        _ answer: TransportResponse,
        _ sent: SentRequest,
        _ context: Attempting,
        _ admission: Admission?
    ) throws -> TransportResponse {
        var answer = answer
        if let observation = context.call.observation { answer = observation.answered(answer) }
        if !provesNothing {
            // A stored response has no part in this: its cookies were kept when it came.
            cookieJar?.keep(answer.head, of: sent.plain, by: transmission.proxies)
            if authorization.answersChallenges { answer = try examined(answer, sent, context) }
        }
        guard let slot = admission?.slot else { return answer }
        let body = LimitedBody(answer.body, slot, of: limit, context.call, on: clock, held: context.held)
        return TransportResponse(
            head: answer.head,
            body: ResponseBody(expectedLength: answer.body.expectedLength, source: body)
        )
    }

    /// The request with its origin's cookies and proof.
    func proven(
        _ plain: EncodedRequest,
        cookied: EncodedRequest? = nil,
        after history: CallHistory,
        _ call: CallContext
    ) async throws -> SentRequest {
        if cookieJar == nil, let (fields, makers) = authorization.fieldsAtOnce(plain, after: history) {
            return SentRequest(plain, fields: fields, by: makers)
        }
        let proven = cookied ?? withCookies(plain, after: history)
        guard !authorization.authorizers.isEmpty else { return SentRequest(plain, proven: proven) }
        let (authorized, makers) = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
            try await authorization.authorize(proven, after: history, call, on: clock)
        }
        return SentRequest(plain, proven: authorized, by: makers)
    }

    /// Passes a response to the authorizers; if they refuse its head, it is not read, and if they refuse its body, it
    /// ends with their error.
    private func examined(
        _ answer: TransportResponse,
        _ sent: SentRequest,
        _ context: Attempting
    ) throws -> TransportResponse {
        let demanded: BodyCheck?
        do {
            demanded = try authorization.examine(answer.head, of: sent.proven, after: context.history)
        } catch {
            answer.body.cancel()
            throw Stage.describe(error, .authorization, .authorization, request: sent.shown)
        }
        // Downloads take parts of bodies, and keep what has arrived; they have digests of the whole file.
        guard let check = demanded, context.use != .download else { return answer }
        // A body that the transport has decoded differs from the one that the server has hashed.
        if transmission.transport.capabilities.decodesContent, answer.head.headers[.contentEncoding] != nil {
            return answer
        }
        context.call.noteBodyCheck()
        let described = BodyCheck(update: check.update) {
            do {
                try check.finish()
            } catch {
                throw Stage.describe(error, .authorization, .authorization, request: sent.shown)
            }
        }
        let source = CheckedBody(answer.body, described)
        let body = ResponseBody(expectedLength: answer.body.expectedLength, source: source)
        return TransportResponse(head: answer.head, body: body)
    }

    /// The request with its origin's cookies.
    func withCookies(_ plain: EncodedRequest, after history: CallHistory) -> EncodedRequest {
        var cookied = plain
        cookieJar?.add(to: &cookied, after: history.hops, by: transmission.proxies)
        return cookied
    }

    /// The request as its first attempt would send it.
    func rehearse(_ request: EncodedRequest, _ call: CallContext) async throws -> EncodedRequest {
        let conditional = try conditions?.added(to: request) ?? request
        let asked = try storing?.rehearse(conditional, storeContext(conditional, of: conditional, call)) ?? conditional
        return try await proven(asked, after: CallHistory(), call).proven
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
