// SPDX-License-Identifier: Apache-2.0

/// A proxy's refusal of a request or tunnel.
///
/// It is the `cause` of a ``TransportFailure`` of the kind `proxy`.
public struct ProxyRefusal: Error, Sendable, Hashable {
    /// The reason.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: Sendable, Hashable {
        /// The proxy requires credentials, and received none or invalid ones (407, or the replies of SOCKS).
        case credentials
        /// The proxy responded with this status (HTTP).
        case status(Int)
        /// The proxy responded with this code (SOCKS).
        case reply(UInt8)
    }

    /// The proxy that refused the request.
    public let proxy: Proxy
    /// The reason for the refusal.
    public let reason: Reason
    /// The authentication schemes that the proxy lists, such as `Digest`; empty if it lists none.
    ///
    /// Only `Basic` is supported.
    public let schemes: [String]

    /// Creates a refusal.
    public init(by proxy: Proxy, _ reason: Reason, schemes: [String] = []) {
        self.proxy = proxy
        self.reason = reason
        self.schemes = schemes
    }

    /// The refusal for a status.
    package init(by proxy: Proxy, status: Int, schemes: [String] = []) {
        self.init(by: proxy, status == 407 ? .credentials : .status(status), schemes: schemes)
    }

    /// The meaning of the reason, for messages.
    package var explanation: String {
        switch reason {
        case .credentials where !schemes.isEmpty && !schemes.contains { $0.lowercased() == "basic" }:
            "it requires \(schemes.joined(separator: " or ")) authentication, but only Basic is supported for proxies"
        case .credentials:
            proxy.credentials == nil ? "it requires credentials" : "it does not accept the credentials"
        case .status(let status): "it responded with \(status)"
        case .reply(let code): Self.meaning(of: code)
        }
    }

    /// The meaning of replies of SOCKS 5 (RFC 1928 section 6) and of SOCKS 4, whose codes begin at 91.
    private static func meaning(of code: UInt8) -> String {
        switch code {
        case 1, 91: "general failure (\(code))"
        case 2: "its rules don't allow the connection (2)"
        case 3: "it can't reach the network (3)"
        case 4: "it can't reach the host (4)"
        case 5: "the host refused the connection (5)"
        case 6: "the connection took too long (6)"
        case 7: "it doesn't support the command (7)"
        case 8: "it doesn't support addresses of this type (8)"
        case 92, 93: "it could not verify the user (\(code))"
        default: "it responded with code \(code)"
        }
    }
}

extension ProxyRefusal: CustomStringConvertible {
    /// The proxy and the reason, without credentials.
    public var description: String { "the proxy \(proxy) refused: \(explanation)" }
}
