// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// An attempt that has ended, for ``RetryPolicy/decide``.
public struct RetryQuestion: Sendable {
    /// The request, without its proof of identity.
    public let request: EncodedRequest
    /// What came of it: a status, or an error.
    public let outcome: AttemptRecord.Outcome
    /// The answer's header fields; empty if there was none.
    public let headers: HTTPFields
    /// How many retries there have been.
    public let retries: Int
    /// Since the call began.
    public let elapsed: Duration
    /// The decision of the policy's rules, before the budget; `nil` if there was no temporary failure.
    public let proposal: RetryDecision?

    /// The answer's status; `nil` if there was none.
    public var status: HTTPResponse.Status? {
        if case .answered(let status) = outcome { status } else { nil }
    }

    /// The error; `nil` if there was an answer.
    public var error: (any Error)? { if case .failed(let error) = outcome { error } else { nil } }
}

/// What ``RetryPolicy/decide`` chooses.
public enum RetryChoice: Sendable, Hashable {
    /// What the policy's rules say.
    case proposed
    /// The request is sent again, after a time; `nil` is as the server says, else the back-off.
    case again(after: Duration? = nil)
    /// What came is the caller's.
    case stop
}
