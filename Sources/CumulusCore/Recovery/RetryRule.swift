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
    var asksOfSuccess: Bool {
        policy.decide != nil || (200..<300).contains { policy.statuses.contains($0) }
    }

    /// Whether the policy may retry an outcome.
    ///
    /// It is called after each attempt, so it is cheap.
    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool {
        switch outcome {
        case .answered(let status):
            policy.decide != nil || policy.statuses.contains(status) || status == .conflict || status == .forbidden
        case .failed(let error):
            policy.decide != nil ? error is CumulusError : (error as? CumulusError)?.isTransient == true
        }
    }

    // MARK: Decisions, without the budget

    /// The decision of the policy's rules; `nil` if no temporary failure occurred.
    func proposal(
        after attempt: EndedAttempt,
        _ retries: Int,
        at now: Moment,
        since started: Moment,
        until end: Moment?
    ) -> RetryDecision? {
        let (told, cause) = (attempt.timing, attempt.cause)
        let finding = finding(
            attempt.outcome,
            of: attempt.request,
            isRepeated: retries > 0 || attempt.mayBeRepetition,
            mayHaveArrived: attempt.mayHaveArrived,
            isLimited: told != nil
        )
        switch finding {
        case .none: return nil
        case .stop(let obstacle): return .stop(obstacle, because: cause)
        case .again: break
        }
        return timed(retries + 1, told, because: cause, part: attempt.jitter, at: now, since: started, until: end)
    }

    /// The decision that results from the user's own choice to send the request again.
    func choice(
        of delay: Duration?,
        after attempt: EndedAttempt,
        _ retries: Int,
        at now: Moment,
        until end: Moment?
    ) -> RetryDecision {
        guard attempt.request.body.canBeSent else { return .stop(.body, because: attempt.cause) }
        let told = delay == nil ? attempt.timing : nil
        let wait = delay ?? told?.wait ?? policy.backoff.delay(before: retries + 1, part: attempt.jitter)
        let source = delay == nil ? told?.field : "the policy's `decide`"
        let chosen = RetryDecision.again(after: max(.zero, wait), because: attempt.cause, told: source)
        return bounded(chosen, at: now, until: end)
    }

    /// Decides whether the remaining bytes of an interrupted body are requested, and after which wait: in memory, a
    /// stream or a file.
    ///
    /// - Parameters:
    ///   - number: The number of the request for them, from 1. A download counts from 1 again when it has gained
    ///     enough.
    ///   - request: The request whose response broke off.
    ///   - told: The time when the server wants the next request, if it has refused an earlier request for the
    ///     remaining bytes.
    ///   - cause: The failure, in words.
    ///   - jitter: The random part of a backoff, from 0 to 1.
    ///   - now: The current time.
    ///   - started: The moment when the call began.
    ///   - end: The moment when the call must be over.
    /// - Returns: The decision.
    func resumption(
        _ number: Int,
        of request: EncodedRequest,
        told: ServerTiming?,
        because cause: String,
        jitter: Double,
        at now: Moment,
        since started: Moment,
        until end: Moment?
    ) -> RetryDecision {
        let isIdempotent = isIdempotent(request)
        guard TransportFailure.Fate.unknown.permitsRepeating(isIdempotent: isIdempotent, request.body) else {
            return .stop(isIdempotent ? .body : .method(request.method), because: cause)
        }
        return timed(number, told, because: cause, part: jitter, at: now, since: started, until: end)
    }

    /// The retry with a number, after the server's wait or the backoff, unless that is too many, too long or too late.
    private func timed(
        _ number: Int,
        _ told: ServerTiming?,
        because cause: String,
        part: Double,
        at now: Moment,
        since started: Moment,
        until end: Moment?
    ) -> RetryDecision {
        if let limit = policy.limit, number > limit { return .stop(.limit(limit), because: cause) }
        if let told, let allowed = policy.maxWait, told.wait > allowed {
            return .stop(.wait(told.wait, allowed: allowed), because: cause)
        }
        let wait = told?.wait ?? policy.backoff.delay(before: number, part: part)
        if let most = policy.maxTime, now - started + wait > most {
            return .stop(.time(wait, allowed: most), because: cause)
        }
        return bounded(.again(after: wait, because: cause, told: told?.field), at: now, until: end)
    }

    /// The decision, unless its wait would outlast the deadline.
    private func bounded(_ decision: RetryDecision, at now: Moment, until end: Moment?) -> RetryDecision {
        guard let delay = decision.delay, let end, end - now <= delay else { return decision }
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
    func mayPass(
        _ status: HTTPResponse.Status,
        of request: EncodedRequest,
        isRepeated: Bool,
        isLimited: Bool = false
    ) -> Bool {
        policy.statuses.contains(status) || status == .conflict && isRepeated && request.idempotencyKey != nil
            || status == .forbidden && isLimited && policy.statuses.contains(.tooManyRequests)
    }

    /// Evaluates an attempt's outcome.
    ///
    /// - Parameters:
    ///   - outcome: The attempt's outcome.
    ///   - request: The request.
    ///   - isRepeated: Whether the request was sent before.
    ///   - mayHaveArrived: Whether a server may have received the request regardless of the error, which may be from a
    ///     hook's own request.
    ///   - isLimited: Whether the response reports when to send the next request.
    /// - Returns: Whether the request may be repeated, and if not, why.
    func finding(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        isRepeated: Bool,
        mayHaveArrived: Bool = false,
        isLimited: Bool = false
    ) -> Finding {
        var isUnsent = false
        switch outcome {
        case .answered(let status):
            guard mayPass(status, of: request, isRepeated: isRepeated, isLimited: isLimited) else { return .none }
        case .failed(let error):
            guard let error = error as? CumulusError, error.isTransient else { return .none }
            isUnsent = !mayHaveArrived && error.isUnsent
        }
        let fate = isUnsent ? TransportFailure.Fate.unsent : .unknown
        let isIdempotent = isIdempotent(request)
        if fate.permitsRepeating(isIdempotent: isIdempotent, request.body) { return .again }
        return isUnsent || isIdempotent ? .stop(.body) : .stop(.method(request.method))
    }
}

extension AttemptRecord.Outcome {
    /// Whether a time limit passed, which costs more of a budget.
    var isTimeout: Bool {
        if case .failed(let error as CumulusError) = self { error.code == .timeout } else { false }
    }
}
