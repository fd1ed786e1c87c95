// SPDX-License-Identifier: Apache-2.0

// Types of other products, for a program that lacks the import. Where the product is imported, its own type is used:
// an available type takes precedence.

/// A transport of another product.
@available(*, unavailable, message: "add the product CumulusNIO, and `import CumulusNIO`")
public struct NIOTransport: Transport {
    /// The configuration of a transport of another product.
    public struct Configuration: Sendable {
        /// Makes nothing.
        public init() {}
    }

    /// Makes nothing.
    public init(configuration: Configuration = Configuration()) {}

    /// No features.
    public var capabilities: TransportCapabilities { TransportCapabilities() }

    /// An unknown identity.
    public func identity(at origin: Origin) -> TransportIdentity { .unknown }

    /// Sends nothing.
    public func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }
}

/// A token of another product.
@available(*, unavailable, message: "add the product CumulusOAuth, and `import CumulusOAuth`")
public struct BearerToken: Sendable {
    /// No token.
    public var refresh: Secret<String>? { nil }

    /// Makes nothing.
    public init(_ value: String, refresh: String? = nil, lifetime: Duration? = nil, user: String? = nil) {}
}

extension BoundAuthorizer {
    /// Renewed tokens are another module's.
    @available(*, unavailable, message: "add the product CumulusOAuth, and `import CumulusOAuth`")
    public static func bearer(
        for user: String? = nil,
        refreshing refresh: @escaping @Sendable (BearerToken?) async throws -> BearerToken
    ) -> BoundAuthorizer { .custom(BearerAuthorizer("")) }
}
