// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends a request again after a temporary failure, by the policy.
struct RetryFollowUp: FollowUp {
    private let policy: RetryPolicy
    private let rule: RetryRule
    private let budgets: RetryBudgets
    private let callList: RunningCallList
    private let clock: any RequestClock

    /// `nil` if nothing is retried.
    init?(_ settings: SettingValues, _ context: TreeContext) {
        guard let policy = settings.value(RetryKey.self), policy.limit != 0 || policy.decide != nil else { return nil }
        self.policy = policy
        rule = RetryRule(methods: policy.methods, statuses: policy.statuses)
        budgets = context.retryBudgets
        callList = context.callList
        clock = settings.value(ClockKey.self)
        asksOfSuccess = policy.decide != nil || (200..<300).contains { policy.statuses.contains($0) }
    }

    /// Whether it may react to a success.
    let asksOfSuccess: Bool

    var readsBody: Bool { false }

    /// True if the user has a rule, which may wait.
    var needsTask: Bool { policy.decide != nil }

    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool {
        switch outcome {
        case .answered(let status):
            policy.decide != nil || policy.statuses.contains(status) || status == .conflict || status == .forbidden
        case .failed(let error):
            policy.decide != nil ? error is CumulusError : (error as? CumulusError)?.isTransient == true
        }
    }

    func decide(_ attempt: EndedAttempt) async throws -> FollowUpDecision {
        let proposal = proposal(attempt)
        guard let decide = policy.decide else { return settled(proposal, attempt) }
        let question = RetryQuestion(
            request: attempt.request,
            outcome: attempt.outcome,
            headers: attempt.headers,
            retries: attempt.history.retryCount,
            elapsed: clock.moment - attempt.call.started,
            proposal: proposal
        )
        switch await decide(question) {
        case .proposed: return settled(proposal, attempt)
        case .stop: return proposal.map { .give(.stop(.declined, because: $0.cause)) } ?? .deliver
        case .again(let delay):
            guard attempt.request.body.canBeSent else { return .give(.stop(.body, because: attempt.cause)) }
            let told = delay == nil ? timing(attempt) : nil
            let wait = delay ?? told?.wait ?? policy.backoff.delay(before: attempt.history.retryCount + 1)
            let source = delay == nil ? told?.field : "the policy's `decide`"
            let chosen = RetryDecision.again(after: max(.zero, wait), because: attempt.cause, told: source)
            return settled(bounded(chosen, attempt), attempt)
        }
    }

    /// The rules' decision, without the budget; `nil` if there was no temporary failure.
    private func proposal(_ attempt: EndedAttempt) -> RetryDecision? {
        let (count, told) = (attempt.history.retryCount, timing(attempt))
        let finding = rule.finding(
            attempt.outcome,
            of: attempt.request,
            isRepeated: count > 0 || attempt.mayBeARepetition,
            mayHaveArrived: attempt.sent?.mayHaveArrived == true,
            isLimited: told != nil
        )
        switch finding {
        case .none: return nil
        case .stop(let obstacle): return .stop(obstacle, because: attempt.cause)
        case .again: break
        }
        if let limit = policy.limit, count >= limit { return .stop(.limit(limit), because: attempt.cause) }
        if let told, let allowed = policy.maxWait, told.wait > allowed {
            return .stop(.wait(told.wait, allowed: allowed), because: attempt.cause)
        }
        let wait = told?.wait ?? policy.backoff.delay(before: count + 1)
        if let most = policy.maxTime, clock.moment - attempt.call.started + wait > most {
            return .stop(.time(wait, allowed: most), because: attempt.cause)
        }
        return bounded(.again(after: wait, because: attempt.cause, told: told?.field), attempt)
    }

    private func timing(_ attempt: EndedAttempt) -> ServerTiming? {
        guard case .answered(let head, _) = attempt.result else { return nil }
        return ServerTiming(head.headers, status: head.status, now: Date())
    }

    /// The decision, unless its wait would outlast the deadline.
    private func bounded(_ decision: RetryDecision, _ attempt: EndedAttempt) -> RetryDecision {
        guard let delay = decision.delay, let end = attempt.call.end, end - clock.moment <= delay else {
            return decision
        }
        return .stop(.deadline(delay), because: decision.cause)
    }

    /// The decision after asking the budget, which limits the repetition of failures, not of successes.
    private func settled(_ decision: RetryDecision?, _ attempt: EndedAttempt) -> FollowUpDecision {
        guard let decision else { return .deliver }
        guard let delay = decision.delay else { return .give(decision) }
        let origin = attempt.request.origin
        if isFailure(attempt), !spend(attempt.isTimeout ? 2 : 1, at: origin) {
            return .give(.stop(.budget(origin), because: decision.cause))
        }
        return .again(attempt.request, after: delay, because: .retry, as: decision)
    }

    /// Whether the attempt failed: by an error, or a status that is an error or that the policy retries.
    private func isFailure(_ attempt: EndedAttempt) -> Bool {
        guard case .answered(let head, _) = attempt.result else { return true }
        return head.status.code >= 400 || policy.statuses.contains(head.status)
    }

    private func spend(_ cost: Double, at origin: Origin) -> Bool {
        guard let budget = policy.budget else { return true }
        return budgets.take(cost, from: origin, of: budget, load: callList.load, at: clock.moment)
    }

    /// How long to wait before an interrupted body is resumed; `nil` if it isn't.
    func resumption(_ count: Int, of request: EncodedRequest, _ call: CallContext) -> Duration? {
        let isIdempotent = policy.methods.contains(request.method) || request.idempotencyKey != nil
        guard TransportFailure.Fate.unknown.permitsRepeating(isIdempotent: isIdempotent, request.body) else {
            return nil
        }
        if let limit = policy.limit, count > limit { return nil }
        let delay = policy.backoff.delay(before: count)
        if let end = call.end, end - clock.moment <= delay { return nil }
        if let most = policy.maxTime, clock.moment - call.started + delay > most { return nil }
        return spend(1, at: request.origin) ? delay : nil
    }
}

extension EndedAttempt {
    fileprivate var outcome: AttemptRecord.Outcome {
        switch result {
        case .answered(let head, _): .answered(head.status)
        case .failed(let error): .failed(error)
        }
    }

    fileprivate var headers: HTTPFields { if case .answered(let head, _) = result { head.headers } else { [:] } }

    /// The outcome's cause, in words.
    fileprivate var cause: String {
        switch result {
        case .answered(let head, _): ResponseJudge.name(head.status)
        case .failed(let error as CumulusError): error.message
        case .failed(let error): "\(type(of: error))"
        }
    }

    /// Whether the server may have received the request before, although its response was lost.
    fileprivate var mayBeARepetition: Bool {
        if case .answered(let head, _) = result, head.earlier.mayHaveTakenEffect { return true }
        return history.mayHaveTakenEffect
    }

    fileprivate var isTimeout: Bool {
        if case .failed(let error as CumulusError) = result { error.code == .timeout } else { false }
    }
}
