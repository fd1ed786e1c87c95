// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie: a name, a secret value, and its scope and lifetime (RFC 6265bis).
///
/// Printing shows its name and attributes, never its value.
public struct Cookie: Sendable, Hashable {
    /// Whether a cookie is sent with requests that a different site caused.
    public enum SameSite: String, Sendable, Hashable {
        /// The cookie is sent with every request.
        case unrestricted = "None"
        /// After a redirect from a different site, the cookie is sent only with safe methods.
        case lax = "Lax"
        /// After a redirect from a different site, the cookie is not sent.
        case strict = "Strict"
    }

    /// The identity of a cookie: a later cookie replaces an earlier one with the same identity.
    struct Identity: Hashable {
        let domain: String
        let isHostOnly: Bool
        let path: String
        let name: [UInt8]
    }

    /// The bytes to send, `name=value`; for a nameless cookie the value alone.
    let pair: [UInt8]
    let nameLength: Int
    /// Seconds since 1970; `nil` for a session cookie.
    let expiry: Int64?
    /// The host that the cookie is sent to, in lower case.
    ///
    /// If ``isHostOnly`` is false, the cookie is also sent to hosts below it.
    public let domain: String
    /// Whether the cookie is sent only to exactly this host.
    public let isHostOnly: Bool
    /// The path that the cookie is sent to, including all paths below it.
    public let path: String
    /// Whether the cookie is sent only over https or to this machine itself.
    public let isSecure: Bool
    /// Whether browsers hide the cookie from scripts; Cumulus ignores this.
    public let isHTTPOnly: Bool
    /// The server's rule for other sites; `nil` if the server set none.
    public let sameSite: SameSite?

    /// The name; empty for a nameless cookie.
    public var name: String { String(decoding: pair[..<nameLength], as: UTF8.self) }
    /// The value.
    public var value: Secret<String> { Secret(String(decoding: valueBytes, as: UTF8.self)) }
    /// The expiration date; `nil` for a session cookie.
    public var expires: Date? { expiry.map { Date(timeIntervalSince1970: Double($0)) } }

    var nameBytes: ArraySlice<UInt8> { pair[..<nameLength] }
    var valueBytes: ArraySlice<UInt8> { nameLength == 0 ? pair[...] : pair[(nameLength + 1)...] }
    var identity: Identity {
        Identity(domain: domain, isHostOnly: isHostOnly, path: path, name: Array(nameBytes))
    }

    private init(
        name: ArraySlice<UInt8>,
        value: ArraySlice<UInt8>,
        expiry: Int64?,
        domain: (name: String, isHostOnly: Bool),
        path: String,
        flags: (isSecure: Bool, isHTTPOnly: Bool, sameSite: SameSite?)
    ) {
        pair = name.isEmpty ? Array(value) : name + [UInt8(ascii: "=")] + value
        nameLength = name.count
        self.expiry = expiry
        (self.domain, isHostOnly) = domain
        self.path = path
        (isSecure, isHTTPOnly, sameSite) = flags
    }

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: The name; may be empty if there is a value.
    ///   - value: The value, as it is sent.
    ///   - domain: The host that the cookie is for, in any case.
    ///   - coversSubdomains: Whether it is sent to hosts below the domain; not allowed for addresses.
    ///   - path: The path that the cookie is for.
    ///   - expires: The expiration date; `nil` for a session cookie. A jar keeps it for 400 days at most.
    ///   - isSecure: Whether it is sent only over https.
    ///   - isHTTPOnly: Whether browsers hide it from scripts.
    ///   - sameSite: Whether the cookie is sent after a redirect from a different site.
    /// - Throws: ``CookieRefusal``.
    public init(
        _ name: String,
        _ value: Secret<String>,
        domain: String,
        coversSubdomains: Bool = false,
        path: String = "/",
        expires: Date? = nil,
        isSecure: Bool = true,
        isHTTPOnly: Bool = false,
        sameSite: SameSite? = nil
    ) throws(CookieRefusal) {
        try self.init(
            name: Array(name.utf8)[...],
            value: Array(value.revealed.utf8)[...],
            expiry: expires.map { HTTPDate($0).secondsSince1970 },
            domain: domain.lowercased(),
            isHostOnly: !coversSubdomains,
            path: path,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite
        )
    }

    /// Creates a cookie from parts that may come from a file; each part is checked.
    init(
        name: ArraySlice<UInt8>,
        value: ArraySlice<UInt8>,
        expiry: Int64?,
        domain: String,
        isHostOnly: Bool,
        path: String,
        isSecure: Bool,
        isHTTPOnly: Bool,
        sameSite: SameSite?
    ) throws(CookieRefusal) {
        try CookieSyntax.check(name: name, value: value)
        let semicolon = UInt8(ascii: ";")
        let isSplit = name.contains(semicolon) || name.contains(UInt8(ascii: "=")) || value.contains(semicolon)
        if isSplit { throw .delimiter }
        // White space around them would be lost in transit.
        if CookieSyntax.trimmed(name) != name || CookieSyntax.trimmed(value) != value { throw .delimiter }
        guard CookieDomain.isSound(domain) else { throw .malformedDomain }
        if !isHostOnly, CookieDomain.isAddress(domain) { throw .foreignDomain }
        if !isHostOnly, PublicSuffixes.contains(domain) { throw .publicSuffix }
        guard path.utf8.first == UInt8(ascii: "/") else { throw .malformedPath }
        if path.utf8.count > CookieSyntax.longestAttribute { throw .tooLong }
        if path.utf8.contains(where: { CookieSyntax.isControl($0) || $0 == 0x09 }) { throw .controlCharacter }
        self.init(
            name: name,
            value: value,
            expiry: expiry,
            domain: (domain, isHostOnly),
            path: path,
            flags: (isSecure, isHTTPOnly, sameSite)
        )
        try checkPrefix(hasPath: true)
    }

    /// Checks a cookie that a server sent (RFC 6265bis section 5.7).
    ///
    /// - Parameters:
    ///   - received: The parsed field.
    ///   - origin: The origin of the request.
    ///   - path: The request's path, without its query.
    ///   - isConfidential: Whether the response can't have been intercepted.
    ///   - now: Seconds since 1970.
    /// - Throws: ``CookieRefusal``.
    init(
        _ received: ReceivedCookie,
        from origin: Origin,
        path: Substring,
        isConfidential: Bool,
        now: Int64
    ) throws(CookieRefusal) {
        let domain = try Cookie.domain(received.domain, for: CookieDomain.canonical(origin.host))
        let named = received.path.map { String(decoding: $0, as: UTF8.self) }
        if named?.utf8.contains(0x09) == true { throw .controlCharacter }
        let path = named ?? CookiePath.standard(for: path)
        // A server chooses the paths of its redirects; a file of cookies has shorter lines.
        if path.utf8.count > CookieSyntax.longestAttribute { throw .tooLong }
        self.init(
            name: received.name,
            value: received.value,
            expiry: received.expiry(now: now),
            domain: domain,
            path: path,
            flags: (received.isSecure, received.isHTTPOnly, received.sameSite)
        )
        if isSecure, !isConfidential { throw .insecure }
        try checkPrefix(hasPath: named != nil)
    }

    /// The cookie, whose expiration is at most a limit.
    func ending(by limit: Int64) -> Cookie {
        guard let expiry, expiry > limit else { return self }
        return Cookie(
            name: nameBytes,
            value: valueBytes,
            expiry: limit,
            domain: (domain, isHostOnly),
            path: path,
            flags: (isSecure, isHTTPOnly, sameSite)
        )
    }

    /// The domain of a cookie, from its attribute and the host that sent it.
    private static func domain(
        _ asked: [UInt8],
        for host: String
    ) throws(CookieRefusal) -> (name: String, isHostOnly: Bool) {
        if asked.isEmpty { return (host, true) }
        let name = String(decoding: asked, as: UTF8.self)
        // A dot at the end, or non-ASCII characters, never occur in a host here.
        guard CookieDomain.isSound(name) else { throw .malformedDomain }
        guard CookieDomain.matches(host, name) else { throw .foreignDomain }
        if name == host, CookieDomain.isAddress(host) { return (host, true) }
        // There may be a shorter suffix: ec2.compute-1.amazonaws.com must not set cookies for amazonaws.com.
        let isAboveSite = name.utf8.count <= PublicSuffixes.suffix(of: host).utf8.count
        guard isAboveSite || PublicSuffixes.contains(name) else { return (name, false) }
        // A suffix that is itself a site may have its own cookies.
        if name == host { return (host, true) }
        throw .publicSuffix
    }

    /// Enforces the conditions of a name's prefix, in any case.
    private func checkPrefix(hasPath: Bool) throws(CookieRefusal) {
        // A nameless cookie is sent as its value, which a server could mistake for a name with a prefix.
        if nameLength == 0 {
            if CookieSyntax.begins(pair[...], with: "__secure-") || CookieSyntax.begins(pair[...], with: "__host-") {
                throw .brokenPrefix
            }
            return
        }
        if CookieSyntax.begins(nameBytes, with: "__secure-"), !isSecure { throw .brokenPrefix }
        if CookieSyntax.begins(nameBytes, with: "__host-"), !(isSecure && isHostOnly && hasPath && path == "/") {
            throw .brokenPrefix
        }
    }
}

extension Cookie.SameSite {
    /// Parses the attribute's value; `nil` for an unknown word.
    init?(word: ArraySlice<UInt8>) {
        if CookieSyntax.matches(word, "strict") {
            self = .strict
        } else if CookieSyntax.matches(word, "lax") {
            self = .lax
        } else if CookieSyntax.matches(word, "none") {
            self = .unrestricted
        } else {
            return nil
        }
    }
}

extension Cookie: Redacted {
    /// The name and attributes; the value is `<redacted>`.
    public var description: String {
        var parts = ["\(PeerText.printable(name))=<redacted>"]
        parts.append("domain \(domain)\(isHostOnly ? "" : " and below")")
        parts.append("path \(PeerText.printable(path))")
        if let expiry { parts.append("until \(HTTPDate(Date(timeIntervalSince1970: Double(expiry))))") }
        if isSecure { parts.append("secure") }
        return parts.joined(separator: ", ")
    }
}
