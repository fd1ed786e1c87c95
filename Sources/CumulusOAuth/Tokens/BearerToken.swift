// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A token obtained by your own code, for `BoundAuthorizer.bearer(for:store:refreshing:)`.
public struct BearerToken: Sendable, Hashable {
    /// The token that is sent to the service.
    public let value: Secret<String>
    /// The token with which your code requests the next one; `nil` if the service issued none.
    ///
    /// It is never sent: only your own code uses it.
    public let refresh: Secret<String>?
    /// The time for which the token is valid; `nil` if it is valid until it is refused.
    public let lifetime: Duration?

    /// The user that the token was issued for; `nil` if that isn't known, or if the authorizer has the user's name.
    ///
    /// Stored responses belong to this name, including those of earlier tokens. Without it, each new token begins with
    /// an empty cache.
    public let user: String?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token that is sent to the service.
    ///   - refresh: The token with which your code requests the next one; it is stored for your code.
    ///   - lifetime: The time for which the token is valid from now on; it is renewed shortly before that time ends.
    ///     `nil` if it is valid until it is refused.
    ///   - user: A name that no other user of the service has; `nil` if it isn't known.
    public init(
        _ value: Secret<String>,
        refresh: Secret<String>? = nil,
        lifetime: Duration? = nil,
        user: String? = nil
    ) {
        self.value = value
        self.refresh = refresh
        self.lifetime = lifetime
        self.user = user
    }

    /// Creates a token.
    @_disfavoredOverload
    public init(_ value: String, refresh: String? = nil, lifetime: Duration? = nil, user: String? = nil) {
        self.init(Secret(value), refresh: refresh.map { Secret($0) }, lifetime: lifetime, user: user)
    }
}
