// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Authorizes requests for the origin to which it is bound, and responds to the server's challenges.
///
/// A signature or an API key needs only ``authorize(_:)``. An authorizer whose credentials are often available without
/// waiting also implements ``authorizeAtOnce(_:)``, which costs less. An authorizer that learns from the server how to
/// authenticate, or whose token can expire, also implements ``respond(to:)``. Every authorizer is bound to the origin
/// of the resource on which it is set, and never sees requests to other origins, or their responses.
///
/// If several layers have authorizers, only those of the nearest layer set the `Authorization` field, even while they
/// have no credentials yet: an authorizer with ``respondsToChallenges`` that adds nothing prevents the authorizers of
/// farther layers from setting the field.
///
/// An authorizer makes its own requests through a resource that doesn't have it: a different root, or one with
/// `authorizers = .replacing([])`. They may use the same tree even if it allows a single request at a time.
public protocol Authorizer: Sendable {
    /// Whether the authorizer may wait: for a network, a lock that is held for a long time, or a person.
    ///
    /// Default: true. ``authorize(_:)`` and ``respond(to:)`` run in their own task, so that cancellation and deadlines
    /// reach them. Return false for an authorizer that only computes, such as a signature, to avoid those tasks.
    var mayWait: Bool { get }

    /// Whether the authorizer's code never needs the main actor, even while it waits.
    ///
    /// Default: false. ``Call/wait(hooksAvoidMainActor:)`` then refuses to block the main thread for a call with an
    /// authorizer that may wait.
    var avoidsMainActor: Bool { get }

    /// Adds the credentials to a request if they are available without waiting.
    ///
    /// It must not wait, and is called for each attempt. ``authorize(_:)`` is called only if it returns false, so that
    /// a request whose credentials are available needs no task. Default: false.
    ///
    /// - Parameter request: The request as it will be sent; its origin can't be changed. Fields that it already has
    ///   should stay.
    /// - Returns: Whether the request has everything it needs; if not, changes to the request are discarded.
    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool

    /// Authorizes a request, if necessary after fetching a token.
    ///
    /// It runs once for each attempt, as the last step before the request is sent, so that the signed request is the
    /// one that is sent.
    ///
    /// - Parameter request: The request as it will be sent; its origin can't be changed.
    /// - Throws: Any error; the request fails with ``CumulusError/Code/authorization``, or is cancelled.
    func authorize(_ request: inout EncodedRequest) async throws

    /// Responds to a refusal: renews a token, or reads the server's challenge, so that ``authorize(_:)`` can add better
    /// credentials.
    ///
    /// It isn't called for requests with their own `Authorization` field, or for bodies that can't be sent again.
    /// ``Resource/Settings/maxAuthAttempts`` limits the number of calls. Default: ``ChallengeDisposition/giveUp``.
    ///
    /// - Parameter challenge: The request and the server's response.
    /// - Returns: Whether to send the request again. After the nearest authorizer that returns
    ///   ``ChallengeDisposition/again``, no further authorizer is called.
    /// - Throws: Any error; the request fails with ``CumulusError/Code/authorization``, or is cancelled.
    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition

    /// Examines the head of each response to a request that the authorizer authorized, including refusals.
    ///
    /// It must not wait, and isn't called if ``respondsToChallenges`` is false. Default: `nil`.
    ///
    /// - Parameters:
    ///   - head: The head as received.
    ///   - request: The request with its credentials.
    /// - Returns: A check of the body that follows, if the server's authentication includes the body.
    /// - Throws: Any error; the request fails with ``CumulusError/Code/authorization``, and its body isn't read.
    func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck?

    /// Whether ``respond(to:)`` and ``examine(_:of:)`` do anything.
    ///
    /// Default: true. An authorizer that only adds credentials returns false, so that requests aren't retained for it.
    var respondsToChallenges: Bool { get }

    /// Whether the authorizer's credentials are valid for one request only, such as a signature with a nonce.
    ///
    /// Within an attempt, a request may be sent again immediately, after the connection was closed, or after a 408, 417
    /// or 421. If the server may have seen the request, ``authorize(_:)`` is called again first. Default: false.
    var hasSingleUseCredentials: Bool { get }

    /// The statuses that the authorizer treats as a refusal. Default: 401.
    var challengeStatuses: StatusSet { get }

    /// The user or client that the authorizer represents, known before a request is authorized. A response that a
    /// ``ResponseStore`` stores for one identity is not used for any other.
    ///
    /// Return the user and the long-lived secret, but not a token that is renewed, since stored responses would be lost
    /// with each token. An authorizer whose user changes must return a different identity before it authorizes a
    /// request with the new user's credentials. That applies to each login, each logout, and to a user that is read
    /// from a task-local value. If its user has no name, it stores an ``AuthorizerIdentity/unique()`` and replaces it
    /// with each change.
    ///
    /// Default: `nil`, for an unknown identity. Then responses to its requests are not stored, and stored responses are
    /// not used.
    var identity: AuthorizerIdentity? { get }
}

extension Authorizer {
    /// The default: true, since the authorizer may wait.
    public var mayWait: Bool { true }

    /// The default: false.
    public var avoidsMainActor: Bool { false }

    /// Returns false.
    public func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool { false }

    /// Returns ``ChallengeDisposition/giveUp``.
    public func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition { .giveUp }

    /// Returns `nil`.
    public func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? { nil }

    /// The default: true.
    public var respondsToChallenges: Bool { true }

    /// The default: false.
    public var hasSingleUseCredentials: Bool { false }

    /// The default: 401.
    public var challengeStatuses: StatusSet { .unauthorized }

    /// The default: `nil`, for an unknown identity.
    public var identity: AuthorizerIdentity? { nil }
}

extension StatusSet {
    /// 401. It is created once, since each response is compared with it.
    fileprivate static let unauthorized: StatusSet = [.unauthorized]
}
