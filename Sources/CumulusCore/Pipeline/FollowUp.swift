// SPDX-License-Identifier: Apache-2.0

/// Examines how an attempt ended, and may send the request again, changed or not.
protocol FollowUp: Sendable {
    /// Whether it needs the beginning of the body; that is read, and the slot released, before `decide`.
    var readsBody: Bool { get }

    /// Whether it may wait in calls that have no task of their own.
    var needsTask: Bool { get }

    /// Whether the outcome may concern it; called after each attempt, so it must be cheap.
    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool

    /// Decides what to do after an attempt.
    ///
    /// - Throws: ``CumulusError`` if the call must end; the response is dropped.
    func decide(_ attempt: EndedAttempt) async throws -> FollowUpDecision
}

extension FollowUp {
    /// False by default.
    var needsTask: Bool { false }
}

/// An attempt that has ended, as follow-ups see it.
struct EndedAttempt: Sendable {
    enum Result: Sendable {
        /// A head, and the requested part of the body.
        case answered(ResponseHead, excerpt: ByteChunk)
        case failed(any Error)
    }

    /// The request before interceptors and authorizers saw it: they see the next one, too.
    let request: EncodedRequest
    /// The request that was finally sent; `nil` if no interceptor changes it, and no authorizer needs it.
    let sent: SentRequest?
    let result: Result
    /// The attempts and redirects before this one.
    let history: CallHistory
    /// The call of the attempt.
    let call: CallContext
}

/// The decision about an attempt's outcome.
enum FollowUpDecision: Sendable {
    /// The caller gets it.
    case deliver
    /// The caller gets it, although another attempt was considered.
    case give(RetryDecision)
    /// The request is sent again, after a delay; without the proof of an authorizer, if another one has answered.
    case again(
        EncodedRequest,
        after: Duration = .zero,
        because: AttemptRecord.Reason,
        as: RetryDecision? = nil,
        without: Int? = nil
    )
}
