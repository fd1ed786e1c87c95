// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3f, the end of an attempt -> deliver, or send again: challenge, redirect, retry, in this order.
final class FollowUps: Sendable {
    enum Decision: Sendable {
        case deliver(TransportResponse)
        case again(EncodedRequest, after: Duration)
    }

    let redirect: RedirectFollowUp
    /// `nil` if nothing is retried.
    let retry: RetryFollowUp?
    private let challenge: ChallengeFollowUp?
    /// Whether a follow-up may react to a success.
    private let asksOfSuccess: Bool
    private let contentDecoding: ContentDecoding
    private let clock: any RequestClock

    init(
        _ context: TreeContext,
        _ settings: SettingValues,
        _ authorization: Authorization,
        _ contentDecoding: ContentDecoding
    ) {
        redirect = RedirectFollowUp(
            redirects: settings.value(RedirectsKey.self),
            longestWait: (settings.value(RetryKey.self) ?? .default).maxWait,
            clock: settings.value(ClockKey.self)
        )
        challenge = ChallengeFollowUp(authorization, limit: settings.value(MaxAuthAttemptsKey.self))
        retry = RetryFollowUp(settings, context)
        mayWait = challenge?.needsTask == true || retry?.needsTask == true
        asksOfSuccess = challenge != nil || retry?.asksOfSuccess == true
        self.contentDecoding = contentDecoding
        clock = settings.value(ClockKey.self)
    }

    /// Whether any follow-up is concerned: for most attempts none is.
    func concerns(_ result: Result<TransportResponse, any Error>, retries: Bool) -> Bool {
        switch result {
        case .success(let answer):
            let status = answer.head.status
            guard status.code >= 300 || asksOfSuccess else { return false }
            return redirect.follows(status.code) || challenge?.concerns(.answered(status)) == true
                || retries && retry?.concerns(.answered(status)) == true
        case .failure(let error):
            return retries && retry?.concerns(.failed(error)) == true
        }
    }

    /// Asks the follow-ups that the outcome concerns; the first that wants another attempt decides.
    ///
    /// - Throws: The attempt's error, unless a follow-up handles it; ``CumulusError`` of a follow-up that ends the
    ///   call.
    func decide(
        _ result: Result<TransportResponse, any Error>,
        of request: EncodedRequest,
        sentAs sent: SentRequest?,
        _ call: CallContext,
        _ held: HeldResponses?,
        _ history: inout CallHistory,
        retries: Bool
    ) async throws -> Decision {
        let (outcome, earlier) = (AttemptRecord.Outcome(result), result.earlier)
        var answer = try? result.get()
        do {
            let all: [(any FollowUp)?] = [challenge, redirect, retries ? retry : nil]
            for followUp in all.compactMap(\.self) where followUp.concerns(outcome) {
                var excerpt = ByteChunk.empty
                if followUp.readsBody, let whole = answer {
                    let peeked = await peek(whole, of: request)
                    answer = peeked.answer
                    excerpt = peeked.excerpt
                }
                if mayWait { held?.begin() }
                let attempt = EndedAttempt(
                    request: request,
                    sent: sent,
                    result: result.ended(answer, excerpt),
                    history: history,
                    call: call
                )
                let decision =
                    try await followUp.needsTask
                    ? Stage.run(.authorization, .authorization, request: request) {
                        try await call.waiting(on: clock, for: request) { try await followUp.decide(attempt) }
                    } : followUp.decide(attempt)
                if case .give(let refusal) = decision { note(refusal, call, &history) }
                if case .again(var next, let delay, let reason, let retry, let author) = decision, next.body.canBeSent {
                    guard reason == .redirect || next.origin == request.origin else {
                        throw OriginChanged(from: request.origin, to: next.origin)
                    }
                    // The limits on what hooks may send after a redirect also apply to follow-ups.
                    if reason != .redirect, history.hasLeftOrigin { next = try redirect.harmless(next, asked: request) }
                    if let retry { note(retry, call, &history) }
                    if let author { history.note(refusedAuthor: author) }
                    history.add(outcome, of: request, at: clock.moment, call.started, after: earlier, then: reason)
                    if reason == .redirect, let head = answer?.head {
                        let hop = Response.Hop(request: request, status: head.status, headers: head.headers)
                        history.follow(hop, to: next)
                    }
                    if let answer { await PeekedBody.drain(answer.body, on: clock, before: call.end) }
                    call.observation?.tell(.again(reason, next, after: delay))
                    return .again(next, after: delay)
                }
            }
        } catch {
            answer?.body.cancel()
            throw error
        }
        return .deliver(try answer ?? result.get())
    }

    /// Whether it may send its own requests, as authorizers do to answer challenges.
    let mayWait: Bool

    private func note(_ decision: RetryDecision, _ call: CallContext, _ history: inout CallHistory) {
        history.note(decision)
        call.observation?.tell(.retry(decision))
    }

    /// Reads the beginning of a response's body, decoded, and returns the response with its whole body.
    private func peek(
        _ answer: TransportResponse,
        of request: EncodedRequest
    ) async -> (answer: TransportResponse, excerpt: ByteChunk) {
        // A body that can't be decoded is delivered as received; reading it then reports why.
        var decoded = answer
        try? contentDecoding.decode(&decoded, of: request)
        let (body, excerpt) = await PeekedBody.peek(decoded.body, upTo: Delivery.errorLimit)
        return (TransportResponse(head: decoded.head, body: body), excerpt)
    }
}

extension AttemptRecord.Outcome {
    fileprivate init(_ result: Result<TransportResponse, any Error>) {
        switch result {
        case .success(let answer): self = .answered(answer.head.status)
        case .failure(let error): self = .failed(error)
        }
    }
}

extension Result<TransportResponse, any Error> {
    /// The exchanges that the attempt made before the last one.
    fileprivate var earlier: EarlierExchanges {
        switch self {
        case .success(let answer): answer.head.earlier
        case .failure(let error): (error as? CumulusError)?.earlier ?? EarlierExchanges()
        }
    }

    fileprivate func ended(_ answer: TransportResponse?, _ excerpt: ByteChunk) -> EndedAttempt.Result {
        switch self {
        case .success(let own): .answered((answer ?? own).head, excerpt: excerpt)
        case .failure(let error): .failed(error)
        }
    }
}
