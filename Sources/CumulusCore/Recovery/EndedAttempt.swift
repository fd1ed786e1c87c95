// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The facts about an ended attempt that determine what follows.
struct EndedAttempt: Sendable {
    /// The request before interceptors and authorizers have seen it, since they see the next one again.
    let request: EncodedRequest
    let outcome: AttemptRecord.Outcome
    /// The request that was finally sent, without its credentials.
    var plain: EncodedRequest
    /// The response's header fields; empty without a response.
    var headers: HTTPFields = [:]
    /// Whether a server may have received the request regardless of the outcome: in an exchange before the last one, or
    /// in one that is still running.
    var mayHaveArrived = false
    /// Whether an earlier exchange of the call may have taken effect although its response was lost.
    var mayBeRepetition = false
    /// Whether an authorizer may respond to the response.
    var isChallenge = false
    /// Whether a store has requested that the request be sent again, since it can't use the response to its conditions.
    var isUnusableRevalidation = false
    /// Whether the retry policy may send the request again.
    var retries = true
    /// Whether a store returned the response whose body failed, so that the server hasn't failed.
    var isStored = false
    /// The random part of a backoff, from 0 to 1.
    var jitter = 1.0
    /// The current date, for comparison with dates in header fields.
    var date = Date(timeIntervalSince1970: 0)

    init(_ request: EncodedRequest, _ outcome: AttemptRecord.Outcome) {
        self.request = request
        self.outcome = outcome
        plain = request
    }

    /// The response's status; `nil` without a response.
    var status: HTTPResponse.Status? {
        if case .responded(let status) = outcome { status } else { nil }
    }

    /// The time when the server wants the next request; `nil` if it reports none.
    var timing: ServerTiming? {
        status.flatMap { ServerTiming(headers, status: $0, now: date) }
    }

    /// The outcome, in words.
    var cause: String {
        switch outcome {
        case .responded(let status): ResponseJudge.name(status)
        case .failed(let error as CumulusError): error.message
        case .failed(let error): "\(type(of: error))"
        }
    }
}
