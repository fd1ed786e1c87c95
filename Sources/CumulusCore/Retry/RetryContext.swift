// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// An attempt that has ended, for ``RetryPolicy/decide``.
public struct RetryContext: Sendable {
    /// The request, without its credentials.
    public let request: EncodedRequest
    /// The attempt's outcome: a status, or an error.
    public let outcome: AttemptRecord.Outcome
    /// The response's header fields; empty if no response arrived.
    public let headers: HTTPFields
    /// The number of retries so far.
    public let retries: Int
    /// The time since the call began.
    public let elapsed: Duration
    /// The decision of the policy's rules, before the budget; `nil` if no temporary failure occurred.
    public let proposal: RetryDecision?

    /// The response's status; `nil` if no response arrived.
    public var status: HTTPResponse.Status? {
        if case .responded(let status) = outcome { status } else { nil }
    }

    /// The error; `nil` if a response arrived.
    public var error: (any Error)? { if case .failed(let error) = outcome { error } else { nil } }
}

/// A choice of ``RetryPolicy/decide``.
public enum RetryChoice: Sendable, Hashable {
    /// Follows the policy's rules.
    case proposed
    /// Sends the request again after a wait; `nil` uses the wait that the server requests, otherwise the backoff.
    case again(after: Duration? = nil)
    /// Ends the call with this outcome.
    case stop
}
