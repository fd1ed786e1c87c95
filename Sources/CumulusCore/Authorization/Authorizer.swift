// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Adds proof of identity to requests for the origin it is bound to, and answers the server's challenges.
///
/// A signature or an API key only needs ``authorize(_:)``. An authorizer that learns from the server how to prove its
/// identity, or whose token can expire, also implements ``answer(_:)``. It is bound to the origin of the resource on
/// which it is set, and never sees requests to other origins, or their responses.
///
/// Of several layers with authorizers, only the nearest proves by the `Authorization` field, even while it has no proof
/// yet: one that ``answersChallenges`` and adds nothing keeps those of farther layers from adding theirs.
///
/// An authorizer makes its own requests through a resource that doesn't have it: another root, or one with
/// `authorizers = .replacing([])`. They may use the same tree even if it allows a single request at a time.
public protocol Authorizer: Sendable {
    /// Whether it may wait: for a network, a lock that is held for long, a person.
    ///
    /// Default: true. Its requests run in their own tasks, so that cancellation and deadlines reach it. Return false
    /// for one that only computes, such as a signature, to avoid those tasks.
    var mayWait: Bool { get }

    /// Adds proof of identity to a request; may fetch a token first.
    ///
    /// Runs once for each attempt, as the last step before the request is sent, so that the signed request is the sent
    /// one.
    ///
    /// - Parameter request: The request as it will be sent; its origin can't be changed.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``, or cancels.
    func authorize(_ request: inout EncodedRequest) async throws

    /// Answers a refusal: renews a token, or reads the server's challenge, so that ``authorize(_:)`` can add a better
    /// proof.
    ///
    /// Not called for requests with their own `Authorization` field, nor for bodies that can't be sent again.
    /// ``Resource/Settings/maxAuthAttempts`` limits how often it is called. Default: ``ChallengeAnswer/giveUp``.
    ///
    /// - Parameter challenge: The request and the server's response.
    /// - Returns: Whether to send the request again; the nearest authorizer that says so is the last one asked.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``, or cancels.
    func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer

    /// Examines the head of each response to a request that it authorized, including refusals; must not wait.
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
    /// Default: true. An authorizer that only adds its proof returns false, so that requests aren't kept for it.
    var answersChallenges: Bool { get }

    /// The statuses that it treats as a refusal; default: 401.
    var challengeStatuses: StatusSet { get }
}

extension Authorizer {
    /// True: it may wait.
    public var mayWait: Bool { true }

    /// Gives up.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer { .giveUp }

    /// Does nothing.
    public func examine(_ head: ResponseHead, of request: EncodedRequest) throws {}

    /// True.
    public var answersChallenges: Bool { true }

    /// 401.
    public var challengeStatuses: StatusSet { .unauthorized }
}

extension StatusSet {
    /// 401; created once, since each response is compared with it.
    fileprivate static let unauthorized: StatusSet = [.unauthorized]
}
