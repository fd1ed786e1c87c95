// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// One of the requests that a call sent: its reason, its outcome, and its duration.
///
/// The last one may have failed before it was sent, for want of its proof or its turn.
///
/// A transport that sends requests again itself (``TransportCapabilities/repeats``) doesn't say so: then there may have
/// been more.
public struct AttemptRecord: Sendable {
    /// Why a request was sent; more reasons may be added.
    public enum Reason: Sendable, Hashable {
        /// The call itself.
        case call
        /// A redirect to this attempt's URL.
        case redirect
        /// The server sent a challenge (RFC 9110 section 11).
        case challenge
        /// The previous attempt failed in a way that may be temporary.
        case retry
        /// The kept connection had closed before a byte of the response: the same request, on a new one.
        case staleConnection
        /// The server had said that it did not process the request (RFC 9113 section 8.7): the same one again.
        case unprocessed
        /// The server had refused to be asked for permission (417): the same request, without asking.
        case expectation
        /// The server had said that it isn't the one to ask on this connection (421): the same request, on a new one.
        case misdirected
        /// The server had given up waiting on the kept connection (408): the same request, on a new one.
        case requestTimeout
        /// An interceptor sent the request again.
        case interceptor
        /// The body had broken off: its rest.
        case resume
        /// The server confirmed (304) a version that the ``ResponseStore`` does not have: the same request, without the
        /// store's conditions.
        case unconfirmed
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

    /// The number among all records of the call, from 1.
    ///
    /// Of more than 33, the first 8 and the last 25 are kept.
    public let number: Int
    /// Why the request was sent.
    public let reason: Reason
    /// The request, without its proof.
    public let request: EncodedRequest
    /// How it ended.
    public let outcome: Outcome
    /// How long it took, without the pause before it; for the last one, up to the end of its body.
    public let elapsed: Duration
    /// Whether the attempt was retried, or why not; `nil` if there was no temporary failure.
    public internal(set) var retry: RetryDecision?
    /// What the transport has observed of the exchange: its connection, its bytes, its phases.
    ///
    /// `nil` if it has not: the exchange failed, its body was not read to the end, or an interceptor kept it to itself.
    public internal(set) var facts: ExchangeFacts?
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
        return "\(reason): \(request): \(end) after \(SpokenDuration(elapsed))\(then ?? "")"
    }
}
