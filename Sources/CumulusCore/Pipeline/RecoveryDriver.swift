// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decides after each attempt whether its response is delivered or the request is sent again.
///
/// It reports each end of an attempt to ``Recovery``, and calls the authorizers, the user's rule or the budget when
/// ``Recovery`` requests that.
final class RecoveryDriver: Sendable {
    enum Decision: ~Copyable, Sendable {
        case deliver(TransportResponse)
        case again(Recovery.Order)
    }

    let rules: Recovery.Rules
    private let challenge: ChallengeResponder?
    /// Whether a success may be followed by another attempt.
    private let concernsSuccess: Bool
    private let contentDecoding: ContentDecoding
    private let budgets: RetryBudgets
    private let callList: RunningCallList
    private let clock: any RequestClock

    init(
        _ context: TreeContext,
        _ settings: SettingValues,
        asking authorization: Authorization,
        decodedBy contentDecoding: ContentDecoding
    ) {
        let policy = settings.value(RetryKey.self)
        let challengeLimit = settings.value(MaxAuthAttemptsKey.self)
        rules = Recovery.Rules(
            redirect: RedirectRule(
                redirects: settings.value(RedirectsKey.self),
                longestWait: (policy ?? .default).maxWait
            ),
            retry: policy.flatMap { $0.limit != 0 || $0.decide != nil ? RetryRule(policy: $0) : nil },
            challengeLimit: challengeLimit
        )
        challenge = challengeLimit > 0 ? ChallengeResponder(authorization) : nil
        mayWait = challenge?.mayWait == true || rules.retry?.policy.decide != nil
        concernsSuccess = challenge != nil || rules.retry?.concernsSuccess == true
        self.contentDecoding = contentDecoding
        budgets = context.retryBudgets
        callList = context.callList
        clock = settings.value(ClockKey.self)
    }

    /// Whether user code may be called, which may wait and send its own requests.
    let mayWait: Bool

    /// Whether anything but delivery may follow; for most attempts nothing else does.
    func concerns(_ result: Result<TransportResponse, any Error>, retries: Bool) -> Bool {
        switch result {
        case .success(let response):
            let status = response.head.status
            guard status.code >= 300 || concernsSuccess else { return false }
            return rules.redirect.follows(status.code) || challenge?.concerns(status) == true
                || retries && rules.retry?.concerns(.responded(status)) == true
        case .failure(let error):
            return retries && rules.retry?.concerns(.failed(error)) == true
        }
    }

    /// Decides what follows an attempt.
    ///
    /// - Throws: The attempt's error, unless the request is sent again; an error that ends the call.
    func decide(
        _ end: AttemptEnd,
        _ context: AttemptContext,
        _ memory: inout Recovery.Memory
    ) async throws -> Decision {
        var response = try? end.result.get()
        let call = context.call
        let attempt = attempt(end, context)
        var recovery = Recovery(rules, memory, since: call.started, until: call.end)
        defer { memory = recovery.memory }
        do {
            var event = Recovery.Event.ended(attempt)
            while true {
                switch recovery.next(event, at: clock.moment, date: Date()) {
                case .note(let decision):
                    call.record.note(decision, of: context.number)
                    call.observation?.tell(.retry(decision))
                    event = .noted
                case .consult(.challenge(let number)):
                    event = try await challengeReply(number, &response, end, context)
                case .consult(.policy(let proposal)):
                    event = try await policyChoice(proposal, attempt, context, retries: recovery.memory.retries)
                case .consult(.budget(let cost)): event = .granted(spend(cost, at: end.request.origin))
                case .send(let order):
                    call.record.close(context.number, at: clock.moment)
                    if let response {
                        await PeekedBody.drain(response.body, on: clock, before: call.end)
                        if let facts = response.body.end?.facts { call.record.note(facts, of: context.number) }
                    }
                    call.observation?.tell(.again(order.reason, order.request, after: order.delay))
                    return .again(order)
                case .deliver: return .deliver(try response ?? end.result.get())
                case .fail(let error): throw error
                }
            }
        } catch {
            response?.body.cancel()
            throw error
        }
    }

    /// The facts about an attempt that ``Recovery`` needs.
    private func attempt(_ end: AttemptEnd, _ context: AttemptContext) -> EndedAttempt {
        let number = context.number
        var attempt = EndedAttempt(end.request, AttemptRecord.Outcome(end.result))
        if case .success(let response) = end.result { attempt.headers = response.head.headers }
        attempt.plain = end.sent?.plain ?? end.request
        attempt.mayHaveArrived =
            context.note == nil
            ? context.call.record.mayHaveTakenEffect(in: context.first..<max(context.first, number))
            : context.call.record.mayHaveArrived(since: context.first)
        attempt.mayBeRepetition = context.call.record.mayHaveTakenEffect(in: 1..<max(1, number))
        attempt.isUnusableRevalidation = attempt.status == .notModified && end.isUnusableRevalidation
        (attempt.retries, attempt.isStored) = (end.retries, end.isStored)
        if end.retries, let rule = rules.retry, rule.concerns(attempt.outcome) {
            attempt.jitter = rule.policy.backoff.jitter()
        }
        if let challenge, let status = attempt.status, let sent = end.sent {
            attempt.isChallenge = !challenge.authorizers(for: status, sent, after: context.memory.redirects).isEmpty
        }
        return attempt
    }

    /// Passes the response and the beginning of its body to the authorizers; the next reader still receives the whole
    /// body.
    ///
    /// `number` is the challenge's number in the call. The response's body is replaced.
    private func challengeReply(
        _ number: Int,
        _ response: inout TransportResponse?,
        _ end: AttemptEnd,
        _ context: AttemptContext
    ) async throws -> Recovery.Event {
        guard let challenge, let sent = end.sent, let own = response else { return .responded(.declined([])) }
        let (whole, excerpt) = await peek(own, of: end.request, context.call)
        response = whole
        if mayWait { context.held?.releaseSlots() }
        let received = AuthorizationChallenge(
            request: sent.authorized,
            status: whole.head.status,
            headers: whole.head.headers,
            body: excerpt,
            attempt: number
        )
        let reply = { @Sendable in
            try await challenge.reply(to: received, sent, of: end.request, after: context.memory.redirects)
        }
        return .responded(challenge.mayWait ? try await waiting(context.call, end.request, reply) : try await reply())
    }

    /// Calls the user's rule.
    private func policyChoice(
        _ proposal: RetryDecision?,
        _ attempt: EndedAttempt,
        _ context: AttemptContext,
        retries: Int
    ) async throws -> Recovery.Event {
        guard let decide = rules.retry?.policy.decide else { return .chosen(.proposed) }
        context.held?.releaseSlots()
        let question = RetryContext(
            request: attempt.request,
            outcome: attempt.outcome,
            headers: attempt.headers,
            retries: retries,
            elapsed: clock.moment - context.call.started,
            proposal: proposal
        )
        return .chosen(try await waiting(context.call, attempt.request) { await decide(question) })
    }

    private func waiting<Reply: Sendable>(
        _ call: CallContext,
        _ request: EncodedRequest,
        _ work: @escaping @Sendable () async throws -> Reply
    ) async throws -> Reply {
        try await Stage.run(.authorization, .authorization, request: request) {
            try await call.waiting(on: clock, for: request, work)
        }
    }

    /// Decides whether an interrupted body is resumed, and after which wait; `nil` if nothing is retried.
    ///
    /// A download costs no budget. Its count of retries only starts again after it has received a further part of the
    /// file, which limits the load on the server.
    func resumption(_ broken: BrokenBody, _ call: CallContext) -> RetryDecision? {
        guard let rule = rules.retry else { return nil }
        let time = DecisionTime(now: clock.moment, started: call.started, end: call.end)
        let decision = rule.resumption(broken, jitter: rule.policy.backoff.jitter(), at: time)
        guard decision.delay != nil, !broken.isDownload, !spend(1, at: broken.request.origin) else { return decision }
        return .stop(.budget(broken.request.origin), because: decision.cause)
    }

    /// Whether a server that responded with a status to a request for the remaining bytes may have them later; `false`
    /// if nothing is retried.
    func mayBeTemporary(_ status: HTTPResponse.Status, of request: EncodedRequest, isLimited: Bool) -> Bool {
        rules.retry?.mayBeTemporary(status, of: request, isRepeated: false, isLimited: isLimited) == true
    }

    private func spend(_ cost: Double, at origin: Origin) -> Bool {
        guard let budget = rules.retry?.policy.budget else { return true }
        return budgets.take(cost, from: origin, of: budget, load: callList.load, at: clock.moment)
    }

    /// Reads the beginning of a response's body, decoded, and returns the response with its whole body.
    private func peek(
        _ response: TransportResponse,
        of request: EncodedRequest,
        _ call: CallContext
    ) async -> (response: TransportResponse, excerpt: ByteChunk) {
        // A body that can't be decoded is delivered as received; reading it then reports the reason.
        var decoded = response
        try? contentDecoding.decode(&decoded, of: request, for: call, on: clock)
        let (body, excerpt) = await PeekedBody.peek(decoded.body, upTo: Delivery.errorLimit)
        return (TransportResponse(head: decoded.head, body: body), excerpt)
    }
}

extension AttemptRecord.Outcome {
    init(_ result: Result<TransportResponse, any Error>) {
        switch result {
        case .success(let response): self = .responded(response.head.status)
        case .failure(let error): self = .failed(error)
        }
    }
}
