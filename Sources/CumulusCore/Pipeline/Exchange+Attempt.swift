// SPDX-License-Identifier: Apache-2.0

extension Exchange {
    /// What an attempt must know of the call that it belongs to.
    struct Attempting: Sendable {
        let call: Call
        let isDownload: Bool
        let mayWait: Bool
        let trail: Trail
        /// Of the slots, where hooks may hold answers; `nil` where none may.
        let loan: SlotLoan?

        /// Whether the request goes where the call began, and so did all before it.
        var isAtHome: Bool { !trail.hasLeftOrigin }
    }

    /// One attempt: interceptors, proof of identity, a slot, the transport; and what was sent, if hooks may tell.
    func attempt(
        _ request: EncodedRequest,
        _ context: Attempting
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentRequest?) {
        let note = interception.isEmpty && !authorization.answersChallenges ? nil : SentRequestNote()
        do {
            let answer =
                try await interception.isEmpty
                ? send(request, context, noting: note) : intercepted(request, context, noting: note)
            return (.success(answer), note?.request)
        } catch {
            context.call.observation?.tell(.failed(error))
            return (.failure(error), note?.request)
        }
    }

    private func intercepted(
        _ request: EncodedRequest,
        _ context: Attempting,
        noting note: SentRequestNote?
    ) async throws -> TransportResponse {
        let attempt = Attempt { [self] changed in
            guard changed.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: changed.origin)
            }
            try changed.checkFields(at: .interception)
            let plain = context.isAtHome ? changed : try followUps.redirect.harmless(changed, asked: request)
            return try await send(plain, context, noting: note)
        }
        return try await interception.run(request, attempt: attempt)
    }

    /// The innermost part of an attempt: proof of identity, a slot, and the transport.
    private func send(
        _ plain: EncodedRequest,
        _ context: Attempting,
        noting note: SentRequestNote?
    ) async throws -> TransportResponse {
        let authorized = provesNothing ? plain : try await proven(plain, after: context.trail, context.call)
        note?.request = SentRequest(plain: plain, proven: authorized)
        // From here on no code of the user's runs, and nothing waits, until the head is there.
        let slot = limit.gate == nil ? nil : try await slot(for: plain, context)
        context.call.observation?.sending(authorized)
        // Errors show the request as it was before it had its proof.
        var answer = try await transmission.send(
            pacing.isOn || context.call.observation != nil
                ? progress.counting(pacing.pacing(authorized), of: authorized.body, context.call) : authorized,
            shownAs: plain,
            context.call,
            isDownload: context.isDownload,
            offersIdentity: context.isAtHome
        )
        if let observation = context.call.observation { answer = observation.answered(answer) }
        if !provesNothing {
            cookieJar?.keep(answer.head, of: plain)
            if authorization.answersChallenges { try examine(answer, plain, authorized, context.trail) }
        }
        guard let slot else { return answer }
        let body = LimitedBody(answer.body, slot, of: limit, context.call, on: clock, loan: context.loan)
        return TransportResponse(
            head: answer.head,
            body: ResponseBody(expectedLength: answer.body.expectedLength, source: body)
        )
    }

    /// The request with what belongs to its origin: what the jar has, and proof of identity.
    private func proven(
        _ plain: EncodedRequest,
        after trail: Trail,
        _ call: Call
    ) async throws -> EncodedRequest {
        var proven = plain
        cookieJar?.add(to: &proven)
        guard !authorization.authorizers.isEmpty else { return proven }
        return try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) { [proven] in
            try await authorization.authorize(proven, after: trail, call, on: clock)
        }
    }

    /// Shows an answer to the authorizers; one that they refuse is not read.
    private func examine(
        _ answer: TransportResponse,
        _ plain: EncodedRequest,
        _ authorized: EncodedRequest,
        _ trail: Trail
    ) throws {
        do {
            try authorization.examine(answer.head, of: authorized, after: trail)
        } catch {
            answer.body.cancel()
            throw Stage.describe(error, .authorization, .authorization, request: plain)
        }
    }

    /// The request as its first attempt would send it.
    func rehearse(_ request: EncodedRequest, _ call: Call) async throws -> EncodedRequest {
        try await proven(try await open(request, stores).asked, after: Trail(), call)
    }

    private func slot(for request: EncodedRequest, _ context: Attempting) async throws -> Limit.Slot? {
        guard limit.gate != nil else { return nil }
        do {
            let slot = try await limit.enter(context.call, on: clock, mayWait: context.mayWait)
            try context.call.check()
            return slot
        } catch {
            throw Stage.describe(error, .transmission, .transport, request: request)
        }
    }
}

/// An interceptor or authorizer that tried to send a request elsewhere.
struct OriginChanged: Error, CustomStringConvertible {
    let from: Origin
    let to: Origin

    var description: String { "a hook may not change a request's origin from \(from) to \(to)" }
}
