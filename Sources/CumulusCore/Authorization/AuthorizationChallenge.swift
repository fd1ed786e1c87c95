// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A refusal, as the authorizers of its origin see it: what was sent, and what the server said.
public struct AuthorizationChallenge: Sendable {
    /// The request as it was sent, with its proof, which tells whose token was refused.
    public let request: EncodedRequest
    /// The status: 401, unless ``Authorizer/challengeStatuses`` names others.
    public let status: HTTPResponse.Status
    /// The answer's header fields.
    public let headers: HTTPFields
    /// The beginning of the answer's body, without content codings: at most 64 KiB.
    public let body: ByteChunk
    /// Which refusal of the call it is, from 1.
    public let attempt: Int
    /// What `WWW-Authenticate` offers, for 407 `Proxy-Authenticate`, in the server's order (RFC 9110 section 11.6.1).
    public let challenges: [AuthenticationChallenge]

    /// Describes a refusal; for tests of authorizers.
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
        challenges = AuthenticationChallenge.parse(headers[values: field])
    }

    /// The first challenge of a scheme, in any case: `challenge["Digest"]`; `nil` if the server doesn't offer it.
    public subscript(scheme: String) -> AuthenticationChallenge? { challenges.first { $0.isScheme(scheme) } }
}

extension AuthorizationChallenge: CustomStringConvertible, CustomReflectable {
    /// Status, request and schemes, without secrets.
    public var description: String { "\(status.code) for \(request): \(challenges)" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": description]) }
}

/// What an authorizer makes of a refusal.
public enum ChallengeAnswer: Sendable, Hashable {
    /// The request is sent again; ``Authorizer/authorize(_:)`` is asked for its new proof.
    case again
    /// It can't do better; the next authorizer is asked, and behind the last one the refusal is the caller's.
    case giveUp
}
