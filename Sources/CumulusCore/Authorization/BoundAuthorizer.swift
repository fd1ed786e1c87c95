// SPDX-License-Identifier: Apache-2.0

/// An authorizer, the origin that it serves, and the other origins that share it.
public struct BoundAuthorizer: Sendable {
    /// The authorizer.
    public let authorizer: any Authorizer
    /// The origin that the authorizer serves; `nil` until it is set on a resource.
    public private(set) var origin: Origin?
    /// The other origins that share the authorizer; see ``sharing(with:)``.
    public private(set) var sharedOrigins: Set<Origin> = []
    /// The value that was set as `credentials`, so that it can be read back and replaced.
    private(set) var credentials: Credentials?
    /// Whether it represents `credentials = nil`, which masks inherited ones.
    private(set) var masksCredentials = false
    /// Its identity for stores, if the authorizer has no identity.
    let number = ObjectNumber.next()
    /// The layer from which it is, among those that apply; a nearer one has a higher number.
    var level = 0

    init(_ authorizer: any Authorizer, credentials: Credentials? = nil) {
        self.authorizer = authorizer
        self.credentials = credentials
    }

    /// Returns a copy of the authorizer that also serves other origins, such as your own service under a different
    /// name.
    ///
    /// Links and redirects among these origins keep their credentials. A request that was redirected to any other
    /// origin never sends them again. List only origins whose operators may know the secret.
    public func sharing(with origins: [Origin]) -> BoundAuthorizer {
        var shared = self
        shared.sharedOrigins.formUnion(origins)
        return shared
    }

    /// The authorizer for a value of `credentials`.
    static func credentials(_ credentials: Credentials) -> BoundAuthorizer {
        BoundAuthorizer(
            BasicAuthorizer(user: credentials.user, password: credentials.password),
            credentials: credentials
        )
    }

    /// The authorizer for `credentials = nil`.
    static var credentialsMask: BoundAuthorizer {
        var mask = BoundAuthorizer(BasicAuthorizer(user: "", password: ""))
        mask.masksCredentials = true
        return mask
    }

    /// A copy that is bound to an origin, unless it is already bound.
    func bound(to origin: Origin?) -> BoundAuthorizer {
        var bound = self
        bound.origin = self.origin ?? origin
        return bound
    }

    /// Whether it serves an origin.
    func serves(_ origin: Origin) -> Bool { self.origin == origin || sharedOrigins.contains(origin) }

    /// Whether it serves a request after its call's redirects.
    ///
    /// Once a redirect has led to an origin that it doesn't serve, it no longer serves the call.
    func serves(_ request: EncodedRequest, after redirects: [Response.Redirect]) -> Bool {
        serves(request.origin) && redirects.allSatisfy { serves($0.request.origin) }
    }
}

extension SettingList where Element == BoundAuthorizer {
    /// Adds your own authorizer to this layer; the same as ``BoundAuthorizer/custom(_:)``.
    public mutating func append(_ authorizer: some Authorizer) { append(.custom(authorizer)) }
}

extension BoundAuthorizer: Redacted {
    /// The authorizer's kind and origin, without its secrets.
    public var description: String { "\(type(of: authorizer)) for \(origin.map(String.init) ?? "no origin yet")" }
}

extension BoundAuthorizer: Recognizable {
    func isSame(as other: Any) -> Bool {
        guard let other = other as? BoundAuthorizer, origin == other.origin, sharedOrigins == other.sharedOrigins else {
            return false
        }
        return Self.areSame(authorizer, other.authorizer)
    }
}
