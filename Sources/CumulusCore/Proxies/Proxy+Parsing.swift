// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension Proxy {
    /// Creates a proxy from its URL: `http://user:password@proxy.example:3128`.
    ///
    /// The scheme is `http`, `https`, `socks5`, `socks5h` (the same as `socks5`: the proxy looks up names) or
    /// `socks4a`; the default is `http`. User and password are percent-decoded.
    ///
    /// - Throws: ``ProxyMalformation``, which never quotes user or password.
    public init(_ url: String) throws(ProxyMalformation) {
        var rest = url[...]
        var scheme = Scheme.http
        if let mark = url.place(of: "://") {
            scheme = try Proxy.scheme(named: url[..<mark.lowerBound])
            rest = url[mark.upperBound...]
        }
        let (peer, user) = try Proxy.place(String(rest), scheme)
        try self.init(checking: scheme, at: peer, credentials: user)
    }

    /// Parses the part after `scheme://`.
    private static func place(
        _ text: String,
        _ scheme: Scheme
    ) throws(ProxyMalformation) -> (peer: Origin, user: Credentials?) {
        // The text may have a colon instead of the @ after a password, which no message may show.
        if !text.has(anyOf: "@", "["), text.utf8.lazy.filter({ $0 == UInt8(ascii: ":") }).count > 1 {
            throw ProxyMalformation(
                "a proxy's URL must have one colon between host and port, and brackets around an IPv6 address"
            )
        }
        do throws(RequestURL.Malformation) {
            let (plain, user) = try RequestURL.parse(text) { _ in .http }
            let secure = try RequestURL.parse(text) { _ in .https }.url
            // The port is in the URL if it doesn't depend on the scheme.
            let port = plain.origin.port == secure.origin.port ? plain.origin.port : scheme.defaultPort
            guard plain.target == "/" else {
                throw RequestURL.Malformation("a proxy's URL must end after its host and port")
            }
            return (Origin(scheme: scheme == .https ? .https : .http, host: plain.origin.host, port: port), user)
        } catch {
            throw ProxyMalformation("the proxy can't be used: \(error)")
        }
    }

    /// Creates a proxy from its parts.
    ///
    /// - Parameters:
    ///   - scheme: The protocol.
    ///   - host: The name or address; the brackets around an IPv6 address are optional.
    ///   - port: The port; by default the scheme's.
    ///   - credentials: The credentials for the proxy; none by default.
    /// - Throws: ``ProxyMalformation`` for an invalid host, and for credentials that the scheme doesn't allow.
    public init(
        _ scheme: Scheme,
        host: String,
        port: Int? = nil,
        credentials: Credentials? = nil
    ) throws(ProxyMalformation) {
        let shown = host.has(":") && !host.begins(with: "[") ? "[\(host)]" : host
        guard !host.has(anyOf: "@", "/", "?", "#") else {
            throw ProxyMalformation("a proxy's host contains a character that is not allowed in a host name")
        }
        let address = try Proxy("\(scheme.rawValue)://\(shown):\(port ?? scheme.defaultPort)")
        try self.init(checking: scheme, at: address.peer, credentials: credentials)
    }

    private init(checking scheme: Scheme, at peer: Origin, credentials: Credentials?) throws(ProxyMalformation) {
        if let credentials { try Proxy.check(credentials, for: scheme) }
        self.init(scheme, at: peer, credentials: credentials)
    }

    private static func check(_ credentials: Credentials, for scheme: Scheme) throws(ProxyMalformation) {
        let (user, password) = (credentials.user, credentials.password.revealed)
        switch scheme {
        case .http, .https:
            // RFC 7617 section 2.
            if user.utf8.contains(UInt8(ascii: ":")) {
                throw ProxyMalformation(
                    "the proxy's user name contains a colon, which Basic authentication doesn't allow"
                )
            }
        case .socks5:
            guard 1...255 ~= user.utf8.count, password.utf8.count <= 255 else {
                throw ProxyMalformation("SOCKS 5 allows a user name of 1 to 255 bytes and a password of at most 255")
            }
        case .socks4a:
            if !password.isEmpty { throw ProxyMalformation("SOCKS 4a doesn't support passwords; use socks5") }
            guard user.utf8.count <= 255, !user.utf8.contains(0) else {
                throw ProxyMalformation("SOCKS 4a allows a user name of at most 255 bytes, none of them zero")
            }
        }
    }

    private static func scheme(named text: Substring) throws(ProxyMalformation) -> Scheme {
        let name = text.lowercased()
        if name == "socks5h" { return .socks5 }
        if let scheme = Scheme(rawValue: name) { return scheme }
        if name == "socks4" || name == "socks" {
            throw ProxyMalformation(
                "\(name) is not supported, because the proxy can't look up names; use socks4a or socks5"
            )
        }
        // The text before :// may be part of a password if an @ follows.
        throw ProxyMalformation("a proxy's URL must begin with http, https, socks5, socks5h or socks4a")
    }
}
