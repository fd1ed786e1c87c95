// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Adds proof of identity to requests for the origin it is bound to, and answers where the server wants another one.
///
/// ``authorize(_:)`` is all that a signature or an API key needs. One that learns from the server how to prove itself,
/// or whose token can expire, implements ``answer(_:)``, too. It is bound to the origin of the resource on which it is
/// set, and never sees a request for another, nor an answer from there.
///
/// Requests of its own go through a resource that doesn't have it: another root, or one with `authorizers =
/// .replacing([])`. They may use the same tree even if it allows a single request at a time.
public protocol Authorizer: Hook {
    /// Changes a request so that the server knows who sends it; may fetch a token first.
    ///
    /// Runs last before a request is sent, once for each attempt, so what it signs is what is sent.
    ///
    /// - Parameter request: The request as it will be sent; its origin can't be changed.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``, or cancels.
    func authorize(_ request: inout EncodedRequest) async throws

    /// Answers a refusal: renews a token, or takes note of what the server wants, so that ``authorize(_:)`` does better.
    ///
    /// Not asked for requests with an `Authorization` field of their own, nor for bodies that can't be sent again.
    /// ``Settings/maxAuthAttempts`` bounds how often. Default: ``ChallengeAnswer/giveUp``.
    ///
    /// - Parameter challenge: What was sent, and what the server said.
    /// - Returns: Whether to send the request again; the nearest authorizer that says so is the last one asked.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``, or cancels.
    func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer

    /// Looks at the head of each answer to a request that it authorized, a refusal or not; must not wait.
    ///
    /// Default: does nothing.
    ///
    /// - Parameters:
    ///   - head: The head as received.
    ///   - request: The request with its proof.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``, its body unread.
    func examine(_ head: ResponseHead, of request: EncodedRequest) throws

    /// Whether ``answer(_:)`` and ``examine(_:of:)`` do anything.
    ///
    /// Default: true. One that only adds its proof says false, and its requests aren't kept for them.
    var answersChallenges: Bool { get }

    /// The statuses that it takes for a refusal; default: 401.
    var challengeStatuses: StatusSet { get }
}

extension Authorizer {
    /// Gives up.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer { .giveUp }

    /// Looks at nothing.
    public func examine(_ head: ResponseHead, of request: EncodedRequest) throws {}

    /// It answers.
    public var answersChallenges: Bool { true }

    /// 401.
    public var challengeStatuses: StatusSet { .unauthorized }
}

extension StatusSet {
    /// 401; made once, since each answer is compared with it.
    fileprivate static let unauthorized: StatusSet = [.unauthorized]
}
