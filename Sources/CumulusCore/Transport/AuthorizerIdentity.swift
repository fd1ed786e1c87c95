// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The user or client that an authorizer represents, in a form that can be compared before a request is authorized.
public struct AuthorizerIdentity: Sendable, Hashable {
    let parts: [String]
    /// The number of an identity that is known in this process only.
    let number: UInt64?
    /// The number of the identity before the first login; not a part of the comparison.
    private var predecessor: UInt64?

    /// Creates an identity from a scheme and the values that determine what a server returns: a user and password, or a
    /// token.
    ///
    /// A request with a wrong password must not receive the responses for the right one, so secrets are included.
    public init(_ scheme: String, _ values: Secret<String>...) {
        parts = [scheme] + values.map(\.revealed)
        number = nil
    }

    private init(number: UInt64) {
        parts = ["unique"]
        self.number = number
    }

    /// Creates a unique identity, which is valid only within this process.
    ///
    /// Use it for a user without a name: store an identity, and replace it at each login and each logout. An authorizer
    /// that returned a new identity at each read would represent a different user each time.
    public static func unique() -> AuthorizerIdentity { AuthorizerIdentity(number: ObjectNumber.next()) }

    /// Whether two identities represent the same user or client.
    public static func == (left: AuthorizerIdentity, right: AuthorizerIdentity) -> Bool {
        left.number == right.number && left.parts == right.parts
    }

    /// Hashes the user or client.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts)
        hasher.combine(number)
    }

    /// Returns a copy of this identity, marked as belonging to the first login: no request had credentials under the
    /// previous identity.
    ///
    /// It isn't equal to the previous identity, but a request that waited for the login has its credentials. Use it in
    /// your own authorizer that has no user before its first login: observers of resources (``ResourceUpdates``) then
    /// show the response to that request.
    ///
    /// - Parameter before: The identity without a user.
    /// - Returns: The identity of the first user.
    public func following(_ before: AuthorizerIdentity) -> AuthorizerIdentity {
        var following = self
        following.predecessor = before.number
        return following
    }

    /// Whether it is the identity of the first login after another one.
    func follows(_ before: AuthorizerIdentity) -> Bool { predecessor != nil && predecessor == before.number }
}

extension AuthorizerIdentity: Redacted {
    /// The scheme.
    public var description: String { parts.first ?? "" }
}

/// Numbers for objects that have no other identity; unlike an address, none is given twice.
enum ObjectNumber {
    private static let latest = Atomic<UInt64>(0)

    static func next() -> UInt64 { latest.add(1, ordering: .relaxed).newValue }
}
