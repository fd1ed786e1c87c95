// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A token obtained by your own code, for `BoundAuthorizer.bearer(refreshing:)`.
public struct BearerToken: Sendable, Hashable {
    /// The token that is sent to the service.
    public let value: Secret<String>
    /// How long it is valid; `nil` until it is refused.
    public let lifetime: Duration?

    /// The user that it was issued for; `nil` if that isn't known.
    ///
    /// Stored responses belong to this name, also those of earlier tokens. Without it, each new token begins with an empty
    /// cache.
    public let user: String?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - value: The token that is sent to the service.
    ///   - lifetime: How long it is valid from now on; it is renewed shortly before. `nil`: until it is refused.
    ///   - user: A name that no other user of the service has; `nil` if it isn't known.
    public init(_ value: Secret<String>, lifetime: Duration? = nil, user: String? = nil) {
        self.value = value
        self.lifetime = lifetime
        self.user = user
    }

    /// Makes a token.
    @_disfavoredOverload
    public init(_ value: String, lifetime: Duration? = nil, user: String? = nil) {
        self.init(Secret(value), lifetime: lifetime, user: user)
    }
}
