// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// One of the requests that a call sent: its reason, its outcome, and its duration.
public struct AttemptRecord: Sendable {
    /// Why an attempt was made.
    public enum Reason: Sendable, Hashable {
        /// The call itself.
        case call
        /// A redirect to this attempt's URL.
        case redirect
        /// The server sent a challenge (RFC 9110 section 11).
        case challenge
        /// The previous attempt failed in a way that may be temporary.
        case retry
        /// Nothing was sent: a ``ResponseStore`` gave an older response instead of the failure of the attempt before.
        case fallback
    }

    /// How an attempt ended.
    public enum Outcome: Sendable {
        /// The server answered.
        case answered(HTTPResponse.Status)
        /// There was no response.
        case failed(any Error)
    }

    /// Why the attempt was made.
    public let reason: Reason
    /// The request, without its proof.
    public let request: EncodedRequest
    /// The attempt's outcome.
    public let outcome: Outcome
    /// How long the attempt took, without the pause before it; for the last attempt, up to the end of its body.
    public let elapsed: Duration
    /// Whether the attempt was retried, or why not; `nil` if there was no temporary failure.
    public let retry: RetryDecision?
    /// How often the transport itself sent the request again within the attempt.
    public let repetitions: TransportRepetitions
    /// Whether an interceptor got no response to a request of its own, before the attempt's outcome.
    let hasLostAnswer: Bool
}

extension AttemptRecord: Redacted {
    /// Reason, request and outcome on one line, without secrets.
    public var description: String {
        let end =
            switch outcome {
            case .answered(let status): "\(status.code)"
            case .failed(let error as CumulusError): "\(error.code)"
            case .failed(let error): "\(type(of: error))"
            }
        // The cause of a decision is the outcome, which is already in the text.
        let then = retry.map { decision in
            let source = decision.source.map { " (\($0))" } ?? ""
            let next = "retried after \(SpokenDuration(decision.delay ?? .zero))\(source)"
            return ", \(decision.obstacle.map { "\($0)" } ?? next)"
        }
        let again = repetitions.isEmpty ? "" : ", \(repetitions)"
        return "\(reason): \(request): \(end) after \(SpokenDuration(elapsed))\(again)\(then ?? "")"
    }
}
