// SPDX-License-Identifier: Apache-2.0

/// Adds proof of identity to requests for the origin it is bound to.
///
/// Runs last before a request is sent, once for each attempt, so what it signs is what is sent. It is bound to the
/// origin of the resource on which it is set, and never sees a request for another.
public protocol Authorizer: Hook {
    /// Changes a request so that the server knows who sends it; may fetch a token first.
    ///
    /// - Parameter request: The request as it will be sent; its origin can't be changed.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``, or cancels.
    func authorize(_ request: inout EncodedRequest) async throws
}

/// An authorizer together with the one origin that it serves.
public struct BoundAuthorizer: Sendable {
    /// The authorizer.
    public let authorizer: any Authorizer
    /// The origin it serves; `nil` until it is set on a resource.
    public private(set) var origin: Origin?
    /// What was given as `credentials`, so that it can be read back and replaced.
    private(set) var credentials: Credentials?
    /// Whether it stands for `credentials = nil`: inherited ones are masked.
    private(set) var masksCredentials = false

    init(_ authorizer: any Authorizer, credentials: Credentials? = nil) {
        self.authorizer = authorizer
        self.credentials = credentials
    }

    /// Basic authentication (RFC 7617), sent with the first request already.
    public static func basic(user: String, password: Secret<String>) -> BoundAuthorizer {
        .custom(BasicAuthorizer(user: user, password: password))
    }

    /// A bearer token (RFC 6750).
    public static func bearer(_ token: Secret<String>) -> BoundAuthorizer { .custom(BearerAuthorizer(token)) }

    /// An authorizer of your own.
    public static func custom(_ authorizer: some Authorizer) -> BoundAuthorizer { BoundAuthorizer(authorizer) }

    /// What `credentials` stands for.
    static func credentials(_ credentials: Credentials) -> BoundAuthorizer {
        BoundAuthorizer(
            BasicAuthorizer(user: credentials.user, password: credentials.password),
            credentials: credentials
        )
    }

    /// What `credentials = nil` stands for.
    static var credentialsMask: BoundAuthorizer {
        var mask = BoundAuthorizer(BasicAuthorizer(user: "", password: ""))
        mask.masksCredentials = true
        return mask
    }

    /// Itself, serving an origin; one that is bound stays so.
    func bound(to origin: Origin?) -> BoundAuthorizer {
        var bound = self
        bound.origin = self.origin ?? origin
        return bound
    }
}

extension BoundAuthorizer: CustomStringConvertible {
    /// The authorizer's kind and origin, nothing of its secrets.
    public var description: String { "\(type(of: authorizer)) for \(origin.map(String.init) ?? "no origin yet")" }
}

extension BoundAuthorizer: Recognizable {
    func isSame(as other: Any) -> Bool {
        guard let other = other as? BoundAuthorizer, origin == other.origin else { return false }
        return Self.areSame(authorizer, other.authorizer)
    }
}
