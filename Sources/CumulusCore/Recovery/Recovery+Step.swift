// SPDX-License-Identifier: Apache-2.0

/// What recovery is told, and what it says.
extension Recovery {
    /// What the settings allow; all calls under the same settings share it.
    struct Rules: Sendable {
        let redirect: RedirectRule
        /// `nil` if nothing is retried.
        let retry: RetryRule?
        /// How often authorizers may answer challenges in a call.
        let challengeLimit: Int
    }

    enum Event: Sendable {
        case ended(EndedAttempt)
        /// A ``Step/note(_:)`` was passed on.
        case noted
        case answered(ChallengeReply)
        case chosen(RetryChoice)
        /// Whether the budget had a retry left.
        case granted(Bool)
    }

    /// What the authorizers made of a challenge.
    enum ChallengeReply: Sendable {
        /// The next request has another proof; without that of the author with this number, if it was refused.
        case again(without: Int?)
        /// None of them has another proof, for these reasons.
        case declined([String])
    }

    enum Step: ~Copyable, Sendable {
        case ask(Question)
        /// A decision for the observers and the call's record.
        case note(RetryDecision)
        case send(Order)
        /// The attempt's outcome is the call's.
        case deliver
        /// The call ends with this error; the response is dropped.
        case fail(CumulusError)
    }

    enum Question: Sendable {
        /// For the authorizers, with the challenge's number in the call.
        case challenge(Int)
        /// For the user's own rule, with what the policy proposes.
        case policy(RetryDecision?)
        /// For the budget of the request's origin.
        case budget(cost: Double)
    }

    /// The next request, and the right to send it.
    struct Order: ~Copyable, Sendable {
        let request: EncodedRequest
        let delay: Duration
        let approval: SendApproval

        var reason: AttemptRecord.Reason { approval.reason }
    }
}
