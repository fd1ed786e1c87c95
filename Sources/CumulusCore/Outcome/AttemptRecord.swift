// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// One of the requests that a call sent: its reason, its outcome, and its duration.
///
/// The last one may have failed before it was sent, because it received no credentials or no rate-limit permit.
///
/// A transport that sends requests again itself (``TransportCapabilities/repeats``) doesn't report those repetitions,
/// so there may have been more requests.
public struct AttemptRecord: Sendable {
    /// The reason why a request was sent; more reasons may be added.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: Sendable, Hashable {
        /// The request is the call itself.
        case call
        /// A redirect led to this attempt's URL.
        case redirect
        /// The server sent a challenge (RFC 9110 section 11).
        case challenge
        /// The previous attempt failed in a way that may be temporary.
        case retry
        /// The reused connection was closed before a byte of the response arrived: the same request is sent on a new
        /// connection.
        case staleConnection
        /// The server reported that it had not processed the request (RFC 9113 section 8.7): the same request is sent
        /// again.
        case unprocessed
        /// The server refused the `Expect` field (417): the same request is sent without it.
        case expectation
        /// The server reported that it isn't responsible for this URL on this connection (421): the same request is
        /// sent on a new one.
        case misdirected
        /// The server stopped waiting on the reused connection (408): the same request is sent on a new one.
        case requestTimeout
        /// An interceptor sent the request again.
        case interceptor
        /// The body was interrupted: its remaining bytes are requested.
        case resume
        /// The server confirmed (304) a version that the ``ResponseStore`` doesn't have: the same request is sent
        /// without the store's conditions.
        case unconfirmed
        /// Nothing was sent: a ``ResponseStore`` returned an older response instead of the previous attempt's failure.
        case fallback
    }

    /// The outcome of an attempt.
    public enum Outcome: Sendable {
        /// The server sent a response with this status.
        case responded(HTTPResponse.Status)
        /// No response arrived.
        case failed(any Error)
    }

    /// The attempt's number within the call, counted from 1.
    ///
    /// If there are more than 33 records, only the first 8 and the last 25 are kept.
    public let number: Int
    /// The reason why the request was sent.
    public let reason: Reason
    /// The request, without its credentials.
    public let request: EncodedRequest
    /// The attempt's outcome.
    public let outcome: Outcome
    /// The attempt's duration, without the pause before it.
    ///
    /// For the last attempt, it extends to the end of the body.
    public let elapsed: Duration
    /// The decision on whether to retry the attempt, with the reason; `nil` if no temporary failure occurred.
    public internal(set) var retry: RetryDecision?
    /// The transport's observations of the exchange: its connection, its bytes, its phases.
    ///
    /// `nil` if there are no observations, because the exchange failed, its body was not read to the end, or an
    /// interceptor didn't return its response.
    public internal(set) var facts: ExchangeFacts?
}

extension AttemptRecord: Redacted {
    /// The reason, request and outcome on one line, without secrets.
    public var description: String {
        let end =
            switch outcome {
            case .responded(let status): "\(status.code)"
            case .failed(let error as CumulusError): "\(error.code)"
            case .failed(let error): "\(type(of: error))"
            }
        // The cause of a decision is the outcome, which is already in the text.
        let then = retry.map { decision in
            let source = decision.source.map { " (\($0))" } ?? ""
            let next = "retried after \(SpokenDuration(decision.delay ?? .zero))\(source)"
            return ", \(decision.obstacle.map { "\($0)" } ?? next)"
        }
        return "\(reason): \(request): \(end) after \(SpokenDuration(elapsed))\(then ?? "")"
    }
}
