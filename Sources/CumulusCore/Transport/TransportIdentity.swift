// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The client that a transport represents at an origin, and the route by which it reaches the origin's servers.
///
/// A ``ResponseStore`` shares responses only among requests whose transports have equal identities. A transport that
/// wraps another returns the inner transport's identity:
///
/// ```swift
/// func identity(at origin: Origin) -> TransportIdentity { inner.identity(at: origin) }
/// ```
public struct TransportIdentity: Sendable, Hashable {
    let client: IdentityDigest?
    let route: IdentityDigest?
    /// Whether responses may be stored at all.
    let isKnown: Bool

    /// Creates an identity, which contains only digests of its parts.
    ///
    /// - Parameters:
    ///   - client: The values by which servers recognize the client, such as a certificate; empty for an anonymous
    ///     client.
    ///   - route: Everything that decides which server responds and how that server is verified, such as the
    ///     transport's own authorities, pinned keys, a socket or fixed addresses. It is empty for names that the system
    ///     looks up and for servers that the system's authorities verify.
    public init(client: [Secret<String>] = [], route: [Secret<String>] = []) {
        self.client = TransportIdentity.digest(client)
        self.route = TransportIdentity.digest(route)
        isKnown = true
    }

    private init(client: IdentityDigest?, route: IdentityDigest?, isKnown: Bool) {
        (self.client, self.route, self.isKnown) = (client, route, isKnown)
    }

    /// An anonymous client, servers that the system's authorities verify, and names that the system looks up.
    public static let anonymous = TransportIdentity()

    /// An identity that shares responses with no identity, not even itself: no response is stored, and no stored
    /// response is used.
    ///
    /// Use it for a transport that doesn't verify its servers, or that can't determine which client it represents.
    public static let unknown = TransportIdentity(client: nil, route: nil, isKnown: false)

    /// Returns the identity of the same client over a different route: for a transport that redirects an inner
    /// transport's requests, or changes their responses.
    ///
    /// - Parameter route: The values that distinguish the route.
    /// - Returns: The identity; ``unknown`` stays unknown.
    public func over(_ route: Secret<String>...) -> TransportIdentity {
        var message = IdentityMessage()
        if let own = self.route { message.add("route", own) }
        message.add("over", route.map(\.revealed))
        return TransportIdentity(client: client, route: IdentityDigest(message), isKnown: isKnown)
    }

    private static func digest(_ parts: [Secret<String>]) -> IdentityDigest? {
        if parts.isEmpty { return nil }
        var message = IdentityMessage()
        message.add("parts", parts.map(\.revealed))
        return IdentityDigest(message)
    }
}

extension TransportIdentity: Redacted {
    /// Whether there is a client, and whether the route is the usual one, without the parts.
    public var description: String {
        guard isKnown else { return "unknown" }
        return "\(client == nil ? "anonymous" : "a client")\(route == nil ? "" : ", over its own route")"
    }
}
