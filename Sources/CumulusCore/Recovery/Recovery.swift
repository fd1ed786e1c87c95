// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What follows an attempt: its outcome is delivered, or the request is sent again, changed or not.
///
/// A value without I/O, clock, lock or user code. It is told how an attempt has ended, and says the next step. What
/// others decide, it asks for: the authorizers, the user's own rule, the budget; each question is answered once. Of
/// several reasons to send again, the first counts: a challenge, a redirect, a failure that may be temporary.
///
/// The call's history is its memory. Within an attempt, ``WireRecovery`` decides.
struct Recovery: Sendable {
    /// What the settings allow; all calls under the same settings share it.
    struct Rules: Sendable {
        let redirect: RedirectRule
        /// `nil` if nothing is retried.
        let retry: RetryRule?
        /// How often authorizers may answer challenges in a call.
        let challengeLimit: Int
    }

    enum Event: Sendable {
        case ended(EndedAttempt)
        /// A ``Step/note(_:)`` was passed on.
        case noted
        case answered(ChallengeReply)
        case chosen(RetryChoice)
        /// Whether the budget had a retry left.
        case granted(Bool)
    }

    /// What the authorizers made of a challenge.
    enum ChallengeReply: Sendable {
        /// The next request has another proof; without that of the author with this number, if it was refused.
        case again(without: Int?)
        /// None of them has another proof, for these reasons.
        case declined([String])
    }

    enum Step: Sendable {
        case ask(Question)
        /// A decision for the observers, which the history has already.
        case note(RetryDecision)
        case send(Order)
        /// The attempt's outcome is the call's.
        case deliver
        /// The call ends with this error; the response is dropped.
        case fail(CumulusError)
    }

    enum Question: Sendable {
        /// For the authorizers, with the challenge's number in the call.
        case challenge(Int)
        /// For the user's own rule, with what the policy proposes.
        case policy(RetryDecision?)
        /// For the budget of the request's origin.
        case budget(cost: Double)
    }

    /// The next request.
    struct Order: Sendable {
        let request: EncodedRequest
        let delay: Duration
        let reason: AttemptRecord.Reason
    }

    private enum Phase: Sendable {
        case running, challenge, redirect, policy(RetryDecision?), budget(RetryDecision), agreed(Duration), over
    }

    private let rules: Rules
    private let started: Moment
    /// When the whole call must be over; `nil` if nothing limits it.
    private let end: Moment?
    var history: CallHistory
    private var phase = Phase.running
    private var attempt: EndedAttempt?

    init(_ rules: Rules, after history: CallHistory, since started: Moment, until end: Moment?) {
        self.rules = rules
        self.history = history
        self.started = started
        self.end = end
    }

    /// The next step; an event that no question asked for ends with delivery.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - now: When, on the call's clock.
    ///   - date: The same as a date, for those in fields.
    /// - Returns: The next step.
    mutating func next(_ event: Event, at now: Moment, date: Date) -> Step {
        if case .ended(let ended) = event { attempt = ended }
        attempt?.date = date
        if case .ended = event, let attempt { return challenge(attempt, now) }
        guard let attempt else { return .deliver }
        switch (phase, event) {
        case (.challenge, .answered(.again(let author))):
            if let author { history.note(refusedAuthor: author) }
            return send(attempt, attempt.request, .challenge, now)
        case (.challenge, .answered(.declined(let reasons))):
            if reasons.isEmpty { return redirect(attempt, now) }
            return note(.stop(.challenge(reasons.joined(separator: "; ")), because: attempt.cause), then: .redirect)
        case (.redirect, .noted): return redirect(attempt, now)
        case (.policy(let proposal), .chosen(let choice)): return chosen(choice, over: proposal, attempt, now)
        case (.budget(let decision), .granted(true)): return agree(decision)
        case (.budget(let decision), .granted(false)):
            return note(.stop(.budget(attempt.request.origin), because: decision.cause), then: .over)
        case (.agreed(let delay), .noted): return send(attempt, attempt.request, .retry, now, after: delay)
        default:
            phase = .over
            return .deliver
        }
    }

    // MARK: In this order

    private mutating func challenge(_ attempt: EndedAttempt, _ now: Moment) -> Step {
        guard attempt.isChallenge, let status = attempt.status else { return redirect(attempt, now) }
        let count = history.count(of: .challenge)
        if count < rules.challengeLimit, attempt.request.body.canBeSent {
            phase = .challenge
            return .ask(.challenge(count + 1))
        }
        // Other statuses are rarely about the proof.
        guard status == .unauthorized || status == .proxyAuthenticationRequired else { return redirect(attempt, now) }
        let refused = "the server still refused after \(count) answers to its challenges"
        let obstacle = count < rules.challengeLimit ? RetryDecision.Obstacle.body : .challenge(refused)
        return note(.stop(obstacle, because: attempt.cause), then: .redirect)
    }

    private mutating func redirect(_ attempt: EndedAttempt, _ now: Moment) -> Step {
        guard let status = attempt.status, rules.redirect.follows(status.code) else { return retry(attempt, now) }
        do throws(CumulusError) {
            guard let next = try rules.redirect.next(after: attempt, history, at: now, end) else {
                return retry(attempt, now)
            }
            return send(attempt, next.request, .redirect, now, after: next.wait)
        } catch {
            phase = .over
            return .fail(error)
        }
    }

    private mutating func retry(_ attempt: EndedAttempt, _ now: Moment) -> Step {
        phase = .over
        guard attempt.retries, let rule = rules.retry, rule.concerns(attempt.outcome) else { return .deliver }
        let proposal = rule.proposal(after: attempt, history, at: now, since: started, until: end)
        guard rule.policy.decide != nil else { return settle(proposal, attempt) }
        phase = .policy(proposal)
        return .ask(.policy(proposal))
    }

    private mutating func chosen(
        _ choice: RetryChoice,
        over proposal: RetryDecision?,
        _ attempt: EndedAttempt,
        _ now: Moment
    ) -> Step {
        phase = .over
        switch choice {
        case .proposed: return settle(proposal, attempt)
        case .stop: return settle(proposal.map { .stop(.declined, because: $0.cause) }, attempt)
        case .again(let delay):
            let own = rules.retry?.choice(of: delay, after: attempt, history, at: now, until: end)
            return settle(own, attempt)
        }
    }

    /// Asks the budget, which limits the repetition of failures, not of successes.
    private mutating func settle(_ decision: RetryDecision?, _ attempt: EndedAttempt) -> Step {
        phase = .over
        guard let decision else { return .deliver }
        guard decision.delay != nil else { return note(decision, then: .over) }
        guard let rule = rules.retry, rule.policy.budget != nil, rule.isFailure(attempt) else { return agree(decision) }
        phase = .budget(decision)
        return .ask(.budget(cost: attempt.outcome.isTimeout ? 2 : 1))
    }

    private mutating func agree(_ decision: RetryDecision) -> Step {
        note(decision, then: .agreed(decision.delay ?? .zero))
    }

    private mutating func note(_ decision: RetryDecision, then next: Phase) -> Step {
        history.note(decision)
        phase = next
        return .note(decision)
    }

    private mutating func send(
        _ attempt: EndedAttempt,
        _ request: EncodedRequest,
        _ reason: AttemptRecord.Reason,
        _ now: Moment,
        after delay: Duration = .zero
    ) -> Step {
        phase = .running
        history.add(attempt.outcome, of: attempt.request, at: now, started, after: attempt.earlier, then: reason)
        if reason == .redirect, let status = attempt.status {
            let hop = Response.Hop(request: attempt.request, status: status, headers: attempt.headers)
            history.follow(hop, to: request)
        }
        return .send(Order(request: request, delay: delay, reason: reason))
    }
}
