// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How an attempt ended, as far as it decides what follows.
struct EndedAttempt: Sendable {
    /// The request before interceptors and authorizers saw it: they see the next one, too.
    let request: EncodedRequest
    /// Its outcome.
    let outcome: AttemptRecord.Outcome
    /// The request that was finally sent, without its proof.
    var plain: EncodedRequest
    /// The response's header fields; empty if there was none.
    var headers: HTTPFields = [:]
    /// Whether a server may have received the request regardless of the outcome: in an exchange before the last one, or
    /// in one that is still out.
    var mayHaveArrived = false
    /// Whether an earlier exchange of the call may have taken effect although its response was lost.
    var mayBeRepetition = false
    /// Whether an authorizer may answer the response.
    var isChallenge = false
    /// Whether a store has asked for the request to be sent again, since it can't use the response to its conditions.
    var isUnusableRevalidation = false
    /// Whether the retry policy may send the request again.
    var retries = true
    /// Whether a store gave the response that failed, which is no failure of the server.
    var isStored = false
    /// The random part of a backoff, from 0 to 1.
    var jitter = 1.0
    /// The date now, for those in fields.
    var date = Date(timeIntervalSince1970: 0)

    init(_ request: EncodedRequest, _ outcome: AttemptRecord.Outcome) {
        self.request = request
        self.outcome = outcome
        plain = request
    }

    /// The response's status; `nil` if there was none.
    var status: HTTPResponse.Status? {
        if case .answered(let status) = outcome { status } else { nil }
    }

    /// When the server asks to come again; `nil` if it says nothing of it.
    var timing: ServerTiming? {
        status.flatMap { ServerTiming(headers, status: $0, now: date) }
    }

    /// The outcome, in words.
    var cause: String {
        switch outcome {
        case .answered(let status): ResponseJudge.name(status)
        case .failed(let error as CumulusError): error.message
        case .failed(let error): "\(type(of: error))"
        }
    }
}
