// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// The decision after an attempt that failed temporarily or was refused: a retry, or the reason against it.
public struct RetryDecision: Sendable, Hashable {
    /// The reason why an attempt is not retried.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Obstacle: Sendable, Hashable {
        /// ``RetryPolicy/limit`` is reached.
        case limit(Int)
        /// The request may have taken effect, and its method is not idempotent.
        case method(HTTPRequest.Method)
        /// The body was partly read, and can't be produced again.
        case body
        /// The origin has used all the retries that ``RetryPolicy/budget`` allows.
        case budget(Origin)
        /// The server requests a longer wait than ``RetryPolicy/maxWait``.
        case wait(Duration, allowed: Duration)
        /// The wait would outlast the call's deadline.
        case deadline(Duration)
        /// The wait would end later than ``RetryPolicy/maxTime``.
        case time(Duration, allowed: Duration)
        /// The policy's own function declined (``RetryPolicy/decide``).
        case declined
        /// The server refused the request's credentials, and no authorizer has better ones. The associated value is the
        /// reason.
        case challenge(String)
    }

    /// The failure that ended the attempt, in words.
    public let cause: String
    /// The wait before the next attempt; `nil` if no other attempt follows.
    public let delay: Duration?
    /// The source of the delay, if it isn't the backoff: `Retry-After`, or the policy's own function.
    public let source: String?
    /// The reason why no other attempt follows; `nil` if one follows.
    public let obstacle: Obstacle?

    /// A decision for another attempt.
    static func again(after delay: Duration, because cause: String, by source: String? = nil) -> RetryDecision {
        RetryDecision(cause: cause, delay: delay, source: source, obstacle: nil)
    }

    /// A decision against another attempt.
    static func stop(_ obstacle: Obstacle, because cause: String) -> RetryDecision {
        RetryDecision(cause: cause, delay: nil, source: nil, obstacle: obstacle)
    }
}

extension RetryDecision: CustomStringConvertible {
    /// The decision in words: `503, retrying in 2 s (Retry-After)`; `503, not retried: ...`.
    public var description: String {
        if let obstacle { return "\(cause), \(obstacle)" }
        return "\(cause), retrying in \(SpokenDuration(delay ?? .zero))\(source.map { " (\($0))" } ?? "")"
    }
}

extension RetryDecision.Obstacle: CustomStringConvertible {
    /// A description of the obstacle.
    public var description: String {
        switch self {
        case .limit(let count):
            count == 0
                ? "not retried: the policy allows no retry"
                : "given up after \(count) \(count == 1 ? "retry" : "retries")"
        case .method(let method):
            "not retried: \(method.rawValue) may already have taken effect; an Idempotency-Key would make a retry safe"
        case .body: "not retried: the body can't be sent again"
        case .budget(let origin): "not retried: the retry budget of \(origin) is exhausted"
        case .wait(let wait, let allowed):
            "not retried: the server requests a wait of \(SpokenDuration(wait)), longer than the "
                + "\(SpokenDuration(allowed)) allowed"
        case .deadline(let wait): "not retried: a wait of \(SpokenDuration(wait)) would outlast the deadline"
        case .time(let wait, let allowed):
            "not retried: a wait of \(SpokenDuration(wait)) would exceed the \(SpokenDuration(allowed)) allowed for retries"
        case .declined: "not retried: the policy's `decide` refused"
        case .challenge(let reason): reason
        }
    }
}
