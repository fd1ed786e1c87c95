// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Adds proof of identity to requests for the origin it is bound to, and answers the server's challenges.
///
/// A signature or an API key only needs ``authorize(_:)``. One that has its proof, a header field, at hand also
/// implements ``prove(_:)``, which costs less. An authorizer that learns from the server how to prove its identity, or
/// whose token can expire, also implements ``answer(_:)``. It is bound to the origin of the resource on which it is set,
/// and never sees requests to other origins, or their responses.
///
/// Of several layers with authorizers, only the nearest proves by the `Authorization` field, even while it has no proof
/// yet: one that ``answersChallenges`` and adds nothing keeps those of farther layers from adding theirs.
///
/// An authorizer makes its own requests through a resource that doesn't have it: another root, or one with
/// `authorizers = .replacing([])`. They may use the same tree even if it allows a single request at a time.
public protocol Authorizer: Sendable {
    /// Whether it may wait: for a network, a lock that is held for long, a person.
    ///
    /// Default: true. ``authorize(_:)`` and ``answer(_:)`` run in a task of their own, so that cancellation and
    /// deadlines reach them. Return false for one that only computes, such as a signature, to avoid those tasks.
    var mayWait: Bool { get }

    /// Whether none of its code needs the main actor, even where it waits.
    ///
    /// Default: false; ``Call/wait(hooksAvoidMainActor:)`` then refuses to block the main thread for a call with an authorizer that may
    /// wait.
    var avoidsMainActor: Bool { get }

    /// Adds the proof to a request's header fields, if it is at hand and consists of fields; must not wait.
    ///
    /// Called for each attempt; ``authorize(_:)`` is called only after a false, so that a request whose proof is at
    /// hand needs neither a task nor a copy. It may be called twice for an attempt. A field whose name doesn't say that
    /// its value is secret belongs into ``authorize(_:)``, which can hide it (``EncodedRequest/hide(_:)``). Default: false.
    ///
    /// - Parameter fields: The request's fields; those that it has already should stay.
    /// - Returns: Whether the request has all it needs; if not, the fields must be unchanged.
    func prove(_ fields: inout HTTPFields) -> Bool

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
    /// Not called for one that doesn't ``answersChallenges``. Default: `nil`.
    ///
    /// - Parameters:
    ///   - head: The head as received.
    ///   - request: The request with its proof.
    /// - Returns: A check of the body that follows, if it is part of the server's own proof.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``, its body unread.
    func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck?

    /// Whether ``answer(_:)`` and ``examine(_:of:)`` do anything.
    ///
    /// Default: true. An authorizer that only adds its proof returns false, so that requests aren't kept for it.
    var answersChallenges: Bool { get }

    /// Whether each proof is good for one request only, such as a signature with a nonce.
    ///
    /// Within an attempt, a request may go out again at once, after a connection that had closed, or a 408, 417 or 421. If
    /// the server may have seen it, ``authorize(_:)`` is asked again before. Default: false.
    var provesOnce: Bool { get }

    /// The statuses that it treats as a refusal; default: 401.
    var challengeStatuses: StatusSet { get }

    /// The user or client that it represents, known before a request is authorized: a response that a ``ResponseStore``
    /// stores for one identity is used for no other.
    ///
    /// Return the user and the long-lived secret, but not a token that is renewed, since stored responses would be lost
    /// with each token. An authorizer whose user changes returns another identity from then on, before it authorizes a
    /// request with the new user's credentials: after each login, each logout, and if it reads a task-local value. If
    /// its user has no name, it stores an ``AuthorizerIdentity/unique()`` and replaces that.
    ///
    /// Default: `nil`, for an identity that isn't known. Then no response to the requests that it serves is stored, and
    /// no stored one is used.
    var identity: AuthorizerIdentity? { get }
}

extension Authorizer {
    /// True: it may wait.
    public var mayWait: Bool { true }

    /// False.
    public var avoidsMainActor: Bool { false }

    /// False.
    public func prove(_ fields: inout HTTPFields) -> Bool { false }

    /// Gives up.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer { .giveUp }

    /// `nil`.
    public func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? { nil }

    /// True.
    public var answersChallenges: Bool { true }

    /// False.
    public var provesOnce: Bool { false }

    /// 401.
    public var challengeStatuses: StatusSet { .unauthorized }

    /// `nil`: not known.
    public var identity: AuthorizerIdentity? { nil }
}

extension StatusSet {
    /// 401; created once, since each response is compared with it.
    fileprivate static let unauthorized: StatusSet = [.unauthorized]
}
