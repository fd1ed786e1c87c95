// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A token obtained by your own code, for `BoundAuthorizer.bearer(refreshing:)`.
public struct BearerToken: Sendable, Hashable {
    /// The token that is sent to the service.
    public let value: Secret<String>
    /// How long it is valid; `nil` until it is refused.
    public let lifetime: Duration?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - value: The token that is sent to the service.
    ///   - lifetime: How long it is valid from now on; it is renewed shortly before. `nil`: until it is refused.
    public init(_ value: Secret<String>, lifetime: Duration? = nil) {
        self.value = value
        self.lifetime = lifetime
    }

    /// Makes a token.
    @_disfavoredOverload
    public init(_ value: String, lifetime: Duration? = nil) { self.init(Secret(value), lifetime: lifetime) }
}
