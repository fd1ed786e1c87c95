// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Decides whether a failed request is sent again, and after which wait, by the policy and without I/O.
struct RetryRule: Sendable {
    enum Finding: Sendable, Hashable {
        /// No temporary failure occurred.
        case none
        case again
        case stop(RetryDecision.Obstacle)
    }

    let policy: RetryPolicy

    /// Whether the policy may retry a success.
    var concernsSuccess: Bool {
        policy.decide != nil || (200..<300).contains { policy.statuses.contains($0) }
    }

    /// Whether the policy may retry an outcome.
    ///
    /// It is called after each attempt, so it is cheap.
    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool {
        switch outcome {
        case .responded(let status):
            policy.decide != nil || policy.statuses.contains(status) || status == .conflict || status == .forbidden
        case .failed(let error):
            policy.decide != nil ? error is CumulusError : (error as? CumulusError)?.isTransient == true
        }
    }

    // MARK: Decisions, without the budget

    /// The decision of the policy's rules; `nil` if no temporary failure occurred.
    func proposal(after attempt: EndedAttempt, _ retries: Int, at time: DecisionTime) -> RetryDecision? {
        switch finding(after: attempt, isRepeated: retries > 0 || attempt.mayBeRepetition) {
        case .none: return nil
        case .stop(let obstacle): return .stop(obstacle, because: attempt.cause)
        case .again: break
        }
        let wait = attempt.timing?.wait ?? policy.backoff.delay(before: retries + 1, part: attempt.jitter)
        return timed(retries + 1, .again(after: wait, because: attempt.cause, by: attempt.timing?.field), at: time)
    }

    /// The decision that results from the user's own choice to send the request again.
    func choice(
        of delay: Duration?,
        after attempt: EndedAttempt,
        _ retries: Int,
        at time: DecisionTime
    ) -> RetryDecision {
        guard attempt.request.body.canBeSent else { return .stop(.body, because: attempt.cause) }
        let timing = delay == nil ? attempt.timing : nil
        let wait = delay ?? timing?.wait ?? policy.backoff.delay(before: retries + 1, part: attempt.jitter)
        let source = delay == nil ? timing?.field : "the policy's `decide`"
        return bounded(.again(after: max(.zero, wait), because: attempt.cause, by: source), at: time)
    }

    /// Decides whether the remaining bytes of an interrupted body are requested, and after which wait: in memory, a
    /// stream or a file.
    ///
    /// - Parameters:
    ///   - broken: The body.
    ///   - jitter: The random part of a backoff, from 0 to 1.
    ///   - time: The time of the decision.
    /// - Returns: The decision.
    func resumption(_ broken: BrokenBody, jitter: Double, at time: DecisionTime) -> RetryDecision {
        let (request, timing) = (broken.request, broken.timing)
        let isIdempotent = isIdempotent(request)
        guard TransportFailure.Fate.unknown.permitsRepeating(isIdempotent: isIdempotent, request.body) else {
            return .stop(isIdempotent ? .body : .method(request.method), because: broken.cause)
        }
        let wait = timing?.wait ?? policy.backoff.delay(before: broken.number, part: jitter)
        return timed(broken.number, .again(after: wait, because: broken.cause, by: timing?.field), at: time)
    }

    /// The retry with a number, unless it is one too many, or its wait is too long.
    private func timed(_ number: Int, _ decision: RetryDecision, at time: DecisionTime) -> RetryDecision {
        let cause = decision.cause
        guard let wait = decision.delay else { return decision }
        if let limit = policy.limit, number > limit { return .stop(.limit(limit), because: cause) }
        // The backoff has its own maximum.
        if decision.source != nil, let allowed = policy.maxWait, wait > allowed {
            return .stop(.wait(wait, allowed: allowed), because: cause)
        }
        if let most = policy.maxTime, time.now - time.started + wait > most {
            return .stop(.time(wait, allowed: most), because: cause)
        }
        return bounded(decision, at: time)
    }

    /// The decision, unless its wait would outlast the deadline.
    private func bounded(_ decision: RetryDecision, at time: DecisionTime) -> RetryDecision {
        guard let delay = decision.delay, let end = time.end, end - time.now <= delay else { return decision }
        return .stop(.deadline(delay), because: decision.cause)
    }

    // MARK: Facts

    /// Whether the server failed: with an error, or a status that is an error or that the policy retries.
    func isFailure(_ attempt: EndedAttempt) -> Bool {
        if attempt.isStored { return false }
        return attempt.status.map { $0.code >= 400 || policy.statuses.contains($0) } ?? true
    }

    private func isIdempotent(_ request: EncodedRequest) -> Bool {
        policy.methods.contains(request.method) || request.idempotencyKey != nil
    }

    /// Whether a status may be temporary.
    ///
    /// - Parameters:
    ///   - status: The response's status.
    ///   - request: The request.
    ///   - isRepeated: Whether the request was sent before. Then 409 means that the server is still processing the
    ///     first request, and recognizes the second one by its `Idempotency-Key`.
    ///   - isLimited: Whether the server reports when to send the next request. Then 403 means the same as 429.
    /// - Returns: Whether the status may be temporary.
    func mayBeTemporary(
        _ status: HTTPResponse.Status,
        of request: EncodedRequest,
        isRepeated: Bool,
        isLimited: Bool = false
    ) -> Bool {
        policy.statuses.contains(status) || status == .conflict && isRepeated && request.idempotencyKey != nil
            || status == .forbidden && isLimited && policy.statuses.contains(.tooManyRequests)
    }

    /// Evaluates the outcome of an attempt.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - isRepeated: Whether the request was sent before.
    /// - Returns: Whether the request may be repeated, and if not, why.
    func finding(after attempt: EndedAttempt, isRepeated: Bool) -> Finding {
        let request = attempt.request
        var fate = TransportFailure.Fate.unknown
        switch attempt.outcome {
        case .responded(let status):
            let isLimited = attempt.timing != nil
            guard mayBeTemporary(status, of: request, isRepeated: isRepeated, isLimited: isLimited) else {
                return .none
            }
            // The server refused the request: 429 for every reason (RFC 6585 section 4), the others with a time.
            switch status {
            case .tooManyRequests: fate = .unprocessed
            case .serviceUnavailable, .forbidden: fate = isLimited ? .unprocessed : .unknown
            default: break
            }
        case .failed(let error):
            guard let error = error as? CumulusError, error.isTransient else { return .none }
            if error.isUnsent { fate = .unsent }
        }
        // The server may have carried out an earlier request of the call.
        if attempt.mayHaveArrived || attempt.mayBeRepetition { fate = .unknown }
        let isIdempotent = isIdempotent(request)
        if fate.permitsRepeating(isIdempotent: isIdempotent, request.body) { return .again }
        return fate != .unknown || isIdempotent ? .stop(.body) : .stop(.method(request.method))
    }
}

extension TransportFailure.Fate {
    /// Whether a request may be sent again: where RFC 9110 section 9.2.2 stands.
    ///
    /// - Parameters:
    ///   - isIdempotent: Whether twice has the same effect as once, by its method or by its key.
    ///   - body: The request's body, which must be there to be sent.
    /// - Returns: Whether it may.
    func permitsRepeating(isIdempotent: Bool, _ body: RequestBody) -> Bool {
        body.canBeSent && (self != .unknown || isIdempotent)
    }
}

/// The time of a decision, and the moments between which the call runs.
struct DecisionTime: Sendable {
    let now: Moment
    /// The moment when the call began.
    let started: Moment
    /// The moment when the call must be over; `nil` without a deadline.
    let end: Moment?
}

/// An interrupted body whose remaining bytes may be requested.
struct BrokenBody: Sendable {
    /// The number of the request for them, from 1.
    ///
    /// A download counts from 1 again when it has gained enough.
    let number: Int
    /// The request whose response broke off.
    let request: EncodedRequest
    /// The time when the server wants the next request, if it has refused an earlier request for the remaining bytes.
    let timing: ServerTiming?
    /// The failure, in words.
    var cause = "the body was interrupted"
    var isDownload = false
}

extension AttemptRecord.Outcome {
    /// Whether a time limit passed, which costs more of a budget.
    var isTimeout: Bool {
        if case .failed(let error as CumulusError) = self { error.code == .timeout } else { false }
    }
}
