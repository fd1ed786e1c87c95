// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension RequestURL {
    /// The reason why a string can't be used as a request's URL.
    public struct Malformation: Error, Sendable, Hashable, CustomStringConvertible {
        /// The problem, with the invalid part quoted.
        public let description: String
        /// Whether the scheme is the problem: missing, or not supported by Cumulus.
        public let isScheme: Bool

        init(_ description: String, isScheme: Bool = false) {
            self.description = description
            self.isScheme = isScheme
        }
    }

    /// Creates a URL from its text, which must be absolute.
    ///
    /// A fragment is dropped; a user and password are refused.
    ///
    /// - Throws: ``Malformation``.
    public init(_ text: String) throws(Malformation) {
        let parsed = try RequestURL.parse(text)
        guard parsed.userInfo == nil else {
            throw Malformation("a user and password in a URL end up in logs; set `credentials` instead")
        }
        self = parsed.url
    }

    /// Creates a URL from a raw request's parts, checking that none can extend into another.
    init(scheme: String, authority: String, target: String) throws(Malformation) {
        let root = try RequestURL("\(scheme)://\(authority)")
        guard root.target == "/" else {
            throw Malformation("the raw request's authority contains more than a host and a port")
        }
        guard target.utf8.first == UInt8(ascii: "/") else {
            throw Malformation("the raw request's path does not start with a slash")
        }
        let plain = try RequestURL.plain(target)
        let query = plain.cut(at: "?").map { $0.behind.before("#") }
        let path = plain.before("?", "#")
        self.init(
            origin: root.origin,
            path: PercentEncoding.complete(path) { PercentEncoding.isPathByte($0) || $0 == UInt8(ascii: "/") },
            query: query.map { PercentEncoding.complete($0, allowed: PercentEncoding.isQueryByte) }
        )
    }

    /// Parses an absolute URL and returns its user and password separately.
    public static func parse(_ text: String) throws(Malformation) -> (url: RequestURL, userInfo: Credentials?) {
        let text = try plain(text)
        guard let (before, rest) = text.cut(at: ":"), let name = scheme(before) else {
            throw Malformation("\(quoteURL(text)) has no scheme; write http:// or https:// before it", isScheme: true)
        }
        guard let scheme = Origin.Scheme(rawValue: name) else {
            throw Malformation("the scheme \(PeerText.quoted(name)) is not http or https", isScheme: true)
        }
        guard rest.begins(with: "//") else { throw Malformation("\(quoteURL(text)) has no // after the scheme") }
        return try parse(rest.dropFirst(2)) { _ in scheme }
    }

    /// Parses an absolute URL without `scheme://`, whose host determines the scheme.
    package static func parse(
        _ text: String,
        schemeOf: (_ host: String) -> Origin.Scheme
    ) throws(Malformation) -> (url: RequestURL, userInfo: Credentials?) {
        try parse(plain(text)[...], schemeOf: schemeOf)
    }

    /// Parses the text after `scheme://`.
    private static func parse(
        _ rest: Substring,
        schemeOf: (_ host: String) -> Origin.Scheme
    ) throws(Malformation) -> (url: RequestURL, userInfo: Credentials?) {
        var authority = rest.before("/", "?", "#")
        let target = rest[authority.endIndex...]
        if authority.has(anyOf: "\\") { throw Malformation("a backslash in a URL's host is ambiguous") }
        var userInfo: Credentials?
        if let (before, host) = authority.cut(atLast: "@") {
            userInfo = before.isEmpty ? nil : credentials(before)
            authority = host
        }
        let origin = try Origin(authority: authority, schemeOf: schemeOf)
        let (path, query) = try pathAndQuery(target)
        return (RequestURL(origin: origin, path: path, query: query), userInfo)
    }

    private static func credentials(_ text: Substring) -> Credentials {
        let (user, password) = text.cut(at: ":") ?? (text, "")
        return Credentials(user: PercentEncoding.decode(user), password: Secret(PercentEncoding.decode(password)))
    }

    /// Splits `/path?query#fragment`, encodes what needs it, and removes dot segments.
    private static func pathAndQuery(_ text: Substring) throws(Malformation) -> (path: String, query: String?) {
        let whole = text.before("#")
        let path = whole.before("?")
        if path.has(anyOf: "\\") { throw Malformation("a backslash in the path \(PeerText.quoted(path)) is ambiguous") }
        let encoded = PercentEncoding.complete(path) { PercentEncoding.isPathByte($0) || $0 == UInt8(ascii: "/") }
        let query = whole.cut(at: "?")?.behind
        return (
            removingDotSegments(encoded.isEmpty ? "/" : encoded),
            query.map { PercentEncoding.complete($0, allowed: PercentEncoding.isQueryByte) }
        )
    }

    /// Removes dot segments (RFC 3986 section 5.2.4), treating `%2e` as a dot, as servers do.
    static func removingDotSegments(_ path: String) -> String {
        guard path.has(anyOf: ".") || path.has("%2") else { return path }
        var output: [Substring] = []
        let segments = path.parts(at: "/").dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch PercentEncoding.decode(segment) {
            case ".": if isLast { output.append("") }
            case "..":
                _ = output.popLast()
                if isLast { output.append("") }
            default: output.append(segment)
            }
        }
        return "/" + output.joined(separator: "/")
    }

    /// Resolves a reference, such as a `Location`, against this URL (RFC 3986 section 5.2).
    ///
    /// - Throws: ``Malformation``. A user and password in the reference are dropped, never used.
    public func resolving(_ reference: String) throws(Malformation) -> RequestURL {
        let reference = try reference.isEmpty ? "" : Self.plain(reference)
        if let (before, _) = reference.cut(at: ":"), Self.scheme(before) != nil {
            return try Self.parse(reference).url
        }
        if reference.begins(with: "//") {
            return try Self.parse(reference.dropFirst(2)) { _ in origin.scheme }.url
        }
        let whole = reference.before("#")
        if whole.isEmpty { return self }
        if whole.begins(with: "?") {
            let (_, query) = try Self.pathAndQuery(whole)
            return RequestURL(origin: origin, path: path, query: query)
        }
        // Merging drops the base's last segment (section 5.2.3).
        let base = whole.begins(with: "/") ? "" : "\(path.cut(atLast: "/")?.before ?? "")/"
        let (merged, query) = try Self.pathAndQuery(base + whole)
        return RequestURL(origin: origin, path: merged, query: query)
    }

    private static func scheme(_ text: Substring) -> String? {
        guard let first = text.utf8.first, PercentEncoding.isUnreserved(first), first > UInt8(ascii: "9") else {
            return nil
        }
        let valid = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "+")
                || (PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "~"))
        }
        return valid ? text.lowercased() : nil
    }

    /// The text in ASCII, with other characters escaped, so that no combining mark can hide a delimiter.
    private static func plain(_ text: String) throws(Malformation) -> String {
        if text.isEmpty { throw Malformation("the URL is empty") }
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F {
            throw Malformation("\(quoteURL(text)) contains a control character")
        }
        if text.utf8.first == 0x20 || text.utf8.last == 0x20 {
            throw Malformation("\(quoteURL(text)) begins or ends with a space")
        }
        return PercentEncoding.encode(text) { $0 < 0x80 }
    }

    /// Quotes a URL for an error, without its query and without a possible user and password.
    private static func quoteURL(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
        // The whole text is searched: a password may contain any of the delimiters.
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else {
            return PeerText.quoted(String(decoding: bytes[..<end], as: UTF8.self))
        }
        let rest = bytes[(at + 1)...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return PeerText.quoted("<redacted>@\(String(decoding: rest, as: UTF8.self))")
    }
}
