// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The engine of recovery decides what is sent again, after an attempt and within one. Only this file makes approvals.

/// Decides what follows an attempt: its outcome is delivered, or the request is sent again, changed or not.
///
/// A value without I/O, clock, lock or user code. Its events report how an attempt ended, and it returns the next step.
/// A step may request a decision of the authorizers, the user's own rule or the budget; each of them is called once. If
/// there are several reasons to send the request again, the first of these counts: a challenge, a redirect, a failure
/// that may be temporary.
///
/// ``Memory`` contains what it knows of the attempts before. Within an attempt, ``WireRecovery`` decides.
struct Recovery: Sendable {
    private enum Phase: Sendable {
        case running, challenge, redirect, policy(RetryDecision?), budget(RetryDecision), agreed(Duration), over
    }

    private let rules: Rules
    private let started: Moment
    /// The moment when the whole call must be over; `nil` without a deadline.
    private let end: Moment?
    var memory: Memory
    private var phase = Phase.running
    private var attempt: EndedAttempt?

    init(_ rules: Rules, _ memory: Memory = Memory(), since started: Moment, until end: Moment?) {
        self.rules = rules
        self.memory = memory
        self.started = started
        self.end = end
    }

    /// Returns the next step.
    ///
    /// An event that no step has requested leads to delivery.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of the event, on the call's clock.
    ///   - date: The same time as a date, for comparison with dates in header fields.
    /// - Returns: The next step.
    mutating func next(_ event: Event, at now: Moment, date: Date) -> Step {
        if case .ended(let ended) = event { attempt = ended }
        attempt?.date = date
        if case .ended = event, let attempt { return challenge(attempt, now) }
        guard let attempt else { return .deliver }
        switch (phase, event) {
        case (.challenge, .responded(.again(let author))):
            if let author { memory.refuse(author) }
            memory.countChallenge()
            return send(attempt.request, for: .challenge)
        case (.challenge, .responded(.declined(let reasons))):
            if reasons.isEmpty { return redirect(attempt, now) }
            return note(.stop(.challenge(reasons.joined(separator: "; ")), because: attempt.cause), then: .redirect)
        case (.redirect, .noted): return redirect(attempt, now)
        case (.policy(let proposal), .chosen(let choice)): return chosen(choice, over: proposal, attempt, now)
        case (.budget(let decision), .granted(true)): return agree(decision)
        case (.budget(let decision), .granted(false)):
            return note(.stop(.budget(attempt.request.origin), because: decision.cause), then: .over)
        case (.agreed(let delay), .noted):
            memory.countRetry()
            return send(attempt.request, for: .retry, in: delay)
        default:
            phase = .over
            return .deliver
        }
    }

    // MARK: In this order

    private mutating func challenge(_ attempt: EndedAttempt, _ now: Moment) -> Step {
        if attempt.isUnusableRevalidation, !memory.hasAskedUnconditionally, attempt.request.body.canBeSent {
            memory.noteUnconditionalRequest()
            return send(attempt.request, for: .unconfirmed)
        }
        guard attempt.isChallenge, let status = attempt.status else { return redirect(attempt, now) }
        let count = memory.challenges
        if count < rules.challengeLimit, attempt.request.body.canBeSent {
            phase = .challenge
            return .consult(.challenge(count + 1))
        }
        // Other statuses are rarely about credentials.
        guard status == .unauthorized || status == .proxyAuthenticationRequired else { return redirect(attempt, now) }
        let refused = "the server still refused the request after \(count) responses to its challenges"
        let obstacle = count < rules.challengeLimit ? RetryDecision.Obstacle.body : .challenge(refused)
        return note(.stop(obstacle, because: attempt.cause), then: .redirect)
    }

    private mutating func redirect(_ attempt: EndedAttempt, _ now: Moment) -> Step {
        guard let status = attempt.status, rules.redirect.follows(status.code) else { return retry(attempt, now) }
        do throws(CumulusError) {
            guard let next = try rules.redirect.next(after: attempt, memory.redirects, at: time(now)) else {
                return retry(attempt, now)
            }
            memory.follow(Response.Redirect(request: attempt.request, status: status, headers: attempt.headers))
            return send(next.request, for: .redirect, in: next.wait)
        } catch {
            phase = .over
            return .fail(error)
        }
    }

    private mutating func retry(_ attempt: EndedAttempt, _ now: Moment) -> Step {
        phase = .over
        guard attempt.retries, let rule = rules.retry, rule.concerns(attempt.outcome) else { return .deliver }
        let proposal = rule.proposal(after: attempt, memory.retries, at: time(now))
        guard rule.policy.decide != nil else { return settle(proposal, attempt) }
        phase = .policy(proposal)
        return .consult(.policy(proposal))
    }

    private func time(_ now: Moment) -> DecisionTime { DecisionTime(now: now, started: started, end: end) }

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
            let own = rules.retry?.choice(of: delay, after: attempt, memory.retries, at: time(now))
            return settle(own, attempt)
        }
    }

    /// Requests a retry from the budget, which limits the repetition of failures, not of successes.
    private mutating func settle(_ decision: RetryDecision?, _ attempt: EndedAttempt) -> Step {
        phase = .over
        guard let decision else { return .deliver }
        guard decision.delay != nil else { return note(decision, then: .over) }
        guard let rule = rules.retry, rule.policy.budget != nil, rule.isFailure(attempt) else { return agree(decision) }
        phase = .budget(decision)
        return .consult(.budget(cost: attempt.outcome.isTimeout ? 2 : 1))
    }

    private mutating func agree(_ decision: RetryDecision) -> Step {
        note(decision, then: .agreed(decision.delay ?? .zero))
    }

    private mutating func note(_ decision: RetryDecision, then next: Phase) -> Step {
        phase = next
        return .note(decision)
    }

    private mutating func send(
        _ request: EncodedRequest,
        for reason: AttemptRecord.Reason,
        in delay: Duration = .zero
    ) -> Step {
        phase = .running
        return .send(Order(request: request, delay: delay, approval: SendApproval(reason, by: .attempt)))
    }
}

extension Recovery {
    /// Approves the first request of a call, or one for the remaining bytes of a body that ``RetryRule`` has allowed.
    static func first(_ request: EncodedRequest, for reason: AttemptRecord.Reason = .call) -> Order {
        Order(request: request, delay: .zero, approval: SendApproval(reason, by: .attempt))
    }

    /// Approves a request that an interceptor sends once more within its attempt.
    ///
    /// The method doesn't matter, since the interceptor decides what is safe to repeat. But a body that was sent and
    /// can't be sent again is refused.
    static func another(_ request: EncodedRequest) throws(BodyAlreadySent) -> SendApproval {
        guard request.body.canBeSent else { throw BodyAlreadySent() }
        return SendApproval(.interceptor, by: .attempt)
    }
}

/// Decides what follows an exchange within one attempt: the same request once more, perhaps on another connection, or
/// nothing.
///
/// A value without I/O, clock or user code. The attempt's interceptors don't see these repetitions.
struct WireRecovery: Sendable {
    /// The maximum number of times a request is sent again within an attempt.
    ///
    /// Refusals that end a connection which has already served other requests don't count. A server that ends each connection
    /// after a few requests may refuse one of many waiting requests any number of times, and makes progress each time.
    static let limit = 3
    /// The maximum number of times such a server may refuse a request, even if it seems to make progress.
    static let mostRefusals = 1_000

    private var count = 0
    private var refusals = 0
    private var hasMetWrongServer = false
    private var hasMetTimeout = false
    /// Whether the server has refused the expectation.
    ///
    /// From then on, the body is sent without `Expect`.
    private var isExpectationRefused = false

    /// Whether a response with a status may be followed by the same request.
    static func concerns(_ status: HTTPResponse.Status) -> Bool {
        switch status.code {
        case 408, 417, 421: true
        default: false
        }
    }

    /// Decides what follows an exchange.
    ///
    /// - Returns: The approval for the same request; `nil` if the attempt is over.
    mutating func next(after end: ExchangeOutcome, of request: TransportRequest) -> SendApproval? {
        switch end {
        case .responded(let response): next(after: response.head, to: request)
        case .failed(let failure): next(after: failure, of: request)
        }
    }

    private mutating func next(after failure: TransportFailure, of request: TransportRequest) -> SendApproval? {
        guard mayRepeat(request, after: failure.fate) else { return nil }
        if failure.fate == .unprocessed {
            guard failure.connectionHadServed ? refusals < Self.mostRefusals : take() else { return nil }
            refusals += 1
            // The server has received the request's head, and with it the count or nonce of its authorization.
            return approval(.unprocessed, by: .authorization)
        }
        // A new connection would fail again. A reused one may just have been closed.
        guard failure.connectionHadServed, failure.kind == .connectionClosed, take() else { return nil }
        // The server may have read the request before the connection closed.
        return approval(.staleConnection, by: failure.fate == .unknown ? .authorization : .wire, over: .new)
    }

    private mutating func next(after head: ResponseHead, to request: TransportRequest) -> SendApproval? {
        switch head.status.code {
        case 417:
            // The server refused the expectation, not the request (RFC 9110 section 15.5.18). If the server let the
            // body wait too long, some of it may have been sent. Then only a replayable body is sent again.
            guard request.expectsContinue != nil, request.body.length != 0, request.body.canBeSent, take() else {
                return nil
            }
            isExpectationRefused = true
            return approval(.expectation, by: .authorization)
        case 421:
            // RFC 9110 section 15.5.20: any method, over a different connection.
            guard !hasMetWrongServer, request.body.canBeSent, take() else { return nil }
            hasMetWrongServer = true
            return approval(.misdirected, by: .authorization, over: .new)
        case 408:
            // RFC 9110 section 15.5.9: a server may send 408 on a connection that it closes. Some servers send it when
            // their own work takes too long, so only idempotent requests are repeated.
            guard !hasMetTimeout, head.connectionHadServed, mayRepeat(request, after: .unknown), take() else {
                return nil
            }
            hasMetTimeout = true
            return approval(.requestTimeout, by: .authorization, over: .new)
        default:
            return nil
        }
    }

    private func approval(
        _ reason: AttemptRecord.Reason,
        by entry: SendApproval.Entry,
        over connection: TransportRequest.Connection = .any
    ) -> SendApproval {
        SendApproval(reason, by: entry, over: connection, dropsExpectation: isExpectationRefused)
    }

    private mutating func take() -> Bool {
        guard count < Self.limit else { return false }
        count += 1
        return true
    }

    private func mayRepeat(_ request: TransportRequest, after fate: TransportFailure.Fate) -> Bool {
        fate.permitsRepeating(isIdempotent: request.isIdempotent, request.body)
    }
}

/// The approval to send one request once.
///
/// It is made where that is decided, and consumed where the request is sent.
struct SendApproval: ~Copyable, Sendable {
    /// The step of an attempt at which a request continues.
    enum Entry: Sendable {
        /// The transport, with the same bytes: slot, permit and credentials are kept.
        case wire
        /// Authorization, since the server may have seen the credentials. If they are valid for one request only, slot
        /// and permit are released, and the request is authorized again. Other credentials are sent again unchanged.
        case authorization
        /// The interceptors.
        case attempt
    }

    /// The reason for the request.
    let reason: AttemptRecord.Reason
    let entry: Entry
    let connection: TransportRequest.Connection
    /// Whether the body is sent without `Expect`.
    let dropsExpectation: Bool

    fileprivate init(
        _ reason: AttemptRecord.Reason,
        by entry: Entry,
        over connection: TransportRequest.Connection = .any,
        dropsExpectation: Bool = false
    ) {
        self.reason = reason
        self.entry = entry
        self.connection = connection
        self.dropsExpectation = dropsExpectation
    }

    /// Changes a request that was sent before in the same attempt.
    func change(_ request: inout TransportRequest) {
        request.reason = reason
        request.connection = connection
        if dropsExpectation {
            request.expectsContinue = nil
            request.headers[.expect] = nil
        }
    }
}
