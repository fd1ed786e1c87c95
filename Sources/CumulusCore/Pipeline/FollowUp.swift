// SPDX-License-Identifier: Apache-2.0

/// Looks at how an attempt ended, and may have the request sent again, changed or not.
protocol FollowUp: Sendable {
    /// Whether it wants the beginning of an answer's body; it is then read, and the slot given back, before it is asked.
    var readsBody: Bool { get }

    /// Whether it may wait in calls that have no task of their own.
    var needsTask: Bool { get }

    /// Whether it may have something to say; asked after each attempt, so it only looks.
    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool

    /// What to do after an attempt.
    ///
    /// - Throws: ``CumulusError`` where the call must end; what came is dropped.
    func decide(_ attempt: EndedAttempt) async throws -> FollowUpDecision
}

extension FollowUp {
    /// It doesn't.
    var needsTask: Bool { false }
}

/// An attempt that has ended, as follow-ups see it.
struct EndedAttempt: Sendable {
    enum Result: Sendable {
        /// A head, and of the body as much as was asked for.
        case answered(ResponseHead, excerpt: ByteChunk)
        case failed(any Error)
    }

    /// What was asked, before interceptors and authorizers saw it: they see the next one, too.
    let request: EncodedRequest
    /// What was sent in the end; `nil` if no interceptor changes it, and no authorizer wants to know.
    let sent: SentRequest?
    let result: Result
    /// The attempts and redirects before it.
    let trail: Trail
    /// The call that it is of.
    let call: Call
}

/// What happens to an attempt's outcome.
enum FollowUpDecision: Sendable {
    /// It is the caller's.
    case deliver
    /// It is the caller's, though another attempt was thought of.
    case give(RetryDecision)
    /// The request is sent again, after a delay.
    case again(
        EncodedRequest,
        after: Duration = .zero,
        because: AttemptRecord.Reason,
        as: RetryDecision? = nil
    )
}
