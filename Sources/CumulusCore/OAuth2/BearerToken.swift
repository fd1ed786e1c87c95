// SPDX-License-Identifier: Apache-2.0

/// A token that your own code got, for ``BoundAuthorizer/bearer(refreshing:)``.
public struct BearerToken: Sendable, Hashable {
    /// What is shown to the service.
    public let value: Secret<String>
    /// How long it is good; `nil` for until it is refused.
    public let lifetime: Duration?

    /// Describes a token.
    ///
    /// - Parameters:
    ///   - value: What is shown to the service.
    ///   - lifetime: How long it is good from now on: it is renewed shortly before; `nil` for until it is refused.
    public init(_ value: Secret<String>, lifetime: Duration? = nil) {
        self.value = value
        self.lifetime = lifetime
    }

    /// Describes a token.
    @_disfavoredOverload
    public init(_ value: String, lifetime: Duration? = nil) { self.init(Secret(value), lifetime: lifetime) }
}
