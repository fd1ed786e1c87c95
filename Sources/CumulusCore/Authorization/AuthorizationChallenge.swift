// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A refused request and the server's response, as the authorizers of its origin see them.
public struct AuthorizationChallenge: Sendable {
    /// The request as it was sent, with its credentials, so that an authorizer can see which token was refused.
    public let request: EncodedRequest
    /// The status: 401, or one of ``Authorizer/challengeStatuses``.
    public let status: HTTPResponse.Status
    /// The response's header fields.
    public let headers: HTTPFields
    /// The beginning of the response's body, without content codings: at most 64 KiB.
    public let body: ByteChunk
    /// The number of the refusal within the call, counted from 1.
    public let attempt: Int
    /// The challenges in `WWW-Authenticate`, or, for a 407, in `Proxy-Authenticate`, in the server's order (RFC 9110
    /// section 11.6.1).
    public let challenges: [AuthenticationChallenge]

    /// Creates a refusal, for tests of authorizers.
    public init(
        request: EncodedRequest,
        status: HTTPResponse.Status = .unauthorized,
        headers: HTTPFields = [:],
        body: ByteChunk = .empty,
        attempt: Int = 1
    ) {
        self.request = request
        self.status = status
        self.headers = headers
        self.body = body
        self.attempt = attempt
        let field: HTTPField.Name = status.code == 407 ? .proxyAuthenticate : .wwwAuthenticate
        challenges = AuthenticationChallenge.parse(headers.texts(field))
    }

    /// The first challenge of a scheme, in any case: `challenge["Digest"]`; `nil` if the server doesn't offer one.
    public subscript(scheme: String) -> AuthenticationChallenge? { challenges.first { $0.isScheme(scheme) } }
}

extension AuthorizationChallenge: Redacted {
    /// The status, request and schemes, without secrets.
    public var description: String { "\(status.code) for \(request): \(challenges)" }
}

/// An authorizer's response to a refusal.
public enum ChallengeDisposition: Sendable, Hashable {
    /// Sends the request again; ``Authorizer/authorize(_:)`` adds its new credentials.
    case again
    /// No better credentials are available. The next authorizer of the same layer is called, and after the last one the
    /// caller receives the refusal.
    case giveUp
    /// The same as ``giveUp``, with a reason: a few words without secrets. The call's error and its ``AttemptRecord``
    /// contain it (``RetryDecision/Obstacle/challenge(_:)``).
    case stop(because: String)
}

extension ChallengeDisposition {
    static let refusedCredentials = ChallengeDisposition.stop(
        because: "the server refused the user name or the password"
    )
}

/// The reason why an authorizer can't authorize a request: the cause of an error with
/// ``CumulusError/Code/authorization``.
public struct AuthorizationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the reason, without secrets.
    public let description: String

    /// Creates a problem, which your own authorizer throws.
    ///
    /// - Parameter description: A description of the reason, without secrets.
    public init(_ description: String) { self.description = description }
}
