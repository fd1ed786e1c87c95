// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The parts of a request or a response that may be shown to people: for your own logs, recordings and traces.
///
/// The library's own logs, `curl()` and descriptions show no more. Secrets are recognized by their names, regardless of
/// case and of how the words are joined: `X-Api-Key`, `accessToken`, `client_secret`.
public enum SecretRedaction {
    /// Schemes whose names may be shown before hidden credentials; any other text may be a secret with a space in it.
    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "negotiate", "ntlm", "token", "dpop", "hawk", "aws4-hmac-sha256", "apikey",
    ]
    private static let links: Set<String> = [
        "location", "content-location", "referer", "link", "refresh", "destination", "origin",
    ]
    /// Fields of responses whose names look secret although their values are not.
    private static let open: Set<String> = [
        "www-authenticate", "proxy-authenticate", "access-control-allow-credentials",
    ]
    private static let cookieAttributes: Set<String> = [
        "path", "domain", "expires", "max-age", "secure", "httponly", "samesite", "partitioned", "priority",
    ]

    /// Whether the name of a header field, query item, form field or JSON member indicates a secret value.
    public static func isSecret(_ name: String) -> Bool { Redaction.isSecret(name) }

    /// Returns a header field's value without its secrets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name.
    ///   - isResponse: Whether a server sent the field. If so, challenges and the names and attributes of cookies are
    ///     shown.
    ///   - isHidden: Selects query items of a link to hide, in addition to those whose names indicate a secret.
    /// - Returns: The value without its secrets.
    public static func value(
        _ value: String,
        of name: String,
        isResponse: Bool = false,
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> String {
        let name = name.lowercased()
        if links.contains(name) { return url(value, hiding: isHidden) }
        if isResponse, open.contains(name) { return value }
        if isResponse, name == "set-cookie" { return cookie(value) }
        guard Redaction.isSecret(name) else { return hasURL(value) ? url(value, hiding: isHidden) : value }
        guard name == "authorization" || name == "proxy-authorization",
            let blank = value.utf8.firstIndex(of: UInt8(ascii: " "))
        else { return "<redacted>" }
        let scheme = value[..<blank]
        return schemes.contains(scheme.lowercased()) ? "\(scheme) <redacted>" : "<redacted>"
    }

    /// Returns a path and query without the query's secrets.
    ///
    /// An absolute URL is also accepted.
    ///
    /// - Parameters:
    ///   - target: The path and query.
    ///   - mark: The placeholder for a secret.
    ///   - isHidden: Selects query items to hide, in addition to those whose names indicate a secret.
    /// - Returns: The target without its secrets.
    public static func target(
        _ target: String,
        mark: String = "<redacted>",
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> String {
        let end = target.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.endIndex
        let path = RequestURL.shown(target[..<end], mark: mark)
        if end == target.endIndex { return path }
        return path + BodyRedaction.redactedPairs(target[end...], mark: mark, hiding: isHidden)
    }

    /// Whether a field's value is a URL or a path, or has a URL in it.
    private static func hasURL(_ value: String) -> Bool { value.begins(with: "/") || value.has("://") }

    /// Returns a URL, or text with URLs in it, without passwords and secret query values.
    public static func url(
        _ text: String,
        mark: String = "<redacted>",
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> String {
        target(withoutUser(text, mark: mark), mark: mark, hiding: isHidden)
    }

    /// Returns a string that should be a URL but may be invalid, with everything before its last `@` hidden.
    public static func suspectURL(_ text: String) -> String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return target(text) }
        let scheme = text.utf8.prefix { isSchemeByte($0) }
        let begin = text[scheme.endIndex...].utf8.starts(with: "://".utf8) ? "\(text[..<scheme.endIndex])://" : ""
        return target("\(begin)<redacted>\(text[at...])")
    }

    /// Returns a JSON or form body without its secrets: values of secret names, and strings that may contain a secret.
    ///
    /// JSON with a redacted member is written without white space.
    ///
    /// - Parameters:
    ///   - body: The body, not compressed.
    ///   - type: The body's media type.
    ///   - limit: The largest size in bytes. A longer body is not read.
    /// - Returns: The bytes that may be shown; `nil` for any other type, a charset other than UTF-8, a body over the
    ///   limit, or a body that is neither valid JSON nor a form. Show its type and size instead.
    public static func body(_ body: ByteChunk, of type: MediaType?, limit: Int = 65_536) -> [UInt8]? {
        BodyRedaction.redacted(body, of: type, limit: limit)
    }

    /// Returns the text of a form field whose name isn't secret, as it may be shown.
    ///
    /// - Returns: The text as it is, without the secrets of a URL, or a placeholder if it contains other secrets.
    public static func fieldText(_ text: String) -> String {
        let shown = EmbeddedText.redacted(text)
        guard shown == text, !text.has("://") else { return shown }
        // In a text of its own, `password:x` is a pair without a blank, too.
        let pairs = text.utf8.flatMap { $0 == UInt8(ascii: ":") ? [$0, 0x20] : [$0] }
        return EmbeddedText.hasSecrets(pairs) ? "<redacted>" : text
    }

    /// Hides the text between `//` and `@`, wherever it is.
    private static func withoutUser(_ text: String, mark: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var shown = ""
        var rest = text[...]
        while let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
            let next = rest.utf8.index(after: slash)
            guard rest.utf8[next...].first == UInt8(ascii: "/") else {
                shown += rest[..<next]
                rest = rest[next...]
                continue
            }
            let start = rest.utf8.index(after: next)
            let authority = rest[start...].utf8.prefix { !isEnd($0) }
            shown += rest[..<start]
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
                shown += "\(mark)\(rest[at..<authority.endIndex])"
            } else {
                shown += rest[start..<authority.endIndex]
            }
            rest = rest[authority.endIndex...]
        }
        return shown + rest
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte <= 0x20
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
        }
    }

    /// A cookie's name and its known attributes; its value is the secret.
    private static func cookie(_ value: String) -> String {
        let parts = value.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        var shown: [String] = []
        for (index, part) in parts.enumerated() {
            let text = String(Substring(part))
            let name = String(Substring(part.prefix { $0 != UInt8(ascii: "=") }))
            if index == 0 {
                // Without a name, all of it is the value.
                shown.append(name.utf8.count < text.utf8.count ? "\(name)=<redacted>" : "<redacted>")
            } else {
                let key = name.lowercased().utf8.drop { $0 == 0x20 }
                shown.append(cookieAttributes.contains(String(Substring(key))) ? text : " <redacted>")
            }
        }
        return shown.joined(separator: ";")
    }
}
