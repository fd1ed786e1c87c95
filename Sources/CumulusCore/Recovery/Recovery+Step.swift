// SPDX-License-Identifier: Apache-2.0

/// The input and output of ``Recovery``.
extension Recovery {
    /// The rules that the settings determine; all calls with the same settings share them.
    struct Rules: Sendable {
        let redirect: RedirectRule
        /// `nil` if nothing is retried.
        let retry: RetryRule?
        /// The maximum number of challenges of a call to which authorizers may respond.
        let challengeLimit: Int
    }

    enum Event: Sendable {
        case ended(EndedAttempt)
        /// A ``Step/note(_:)`` was passed on.
        case noted
        case responded(ChallengeReply)
        case chosen(RetryChoice)
        /// Whether the budget allowed a retry.
        case granted(Bool)
    }

    /// The result of passing a challenge to the authorizers.
    enum ChallengeReply: Sendable {
        /// The next request has other credentials, and none of the author with this number, if its credentials were
        /// refused.
        case again(without: Int?)
        /// No authorizer has other credentials, for these reasons.
        case declined([String])
    }

    enum Step: ~Copyable, Sendable {
        case consult(Consultation)
        /// A decision for the observers and the call's record.
        case note(RetryDecision)
        case send(Order)
        /// The attempt's outcome becomes the call's.
        case deliver
        /// The call ends with this error, and the response is dropped.
        case fail(CumulusError)
    }

    /// A decision that recovery leaves to code with I/O, state or user code.
    enum Consultation: Sendable {
        /// The authorizers respond to a challenge, with its number in the call.
        case challenge(Int)
        /// The user's own rule decides about a retry, with the policy's proposal.
        case policy(RetryDecision?)
        /// The budget of the request's origin allows a retry or refuses it.
        case budget(cost: Double)
    }

    /// The next request, with the approval to send it.
    struct Order: ~Copyable, Sendable {
        let request: EncodedRequest
        let delay: Duration
        let approval: SendApproval

        var reason: AttemptRecord.Reason { approval.reason }
    }
}
