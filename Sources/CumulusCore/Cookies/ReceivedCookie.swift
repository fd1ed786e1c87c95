// SPDX-License-Identifier: Apache-2.0

/// A parsed `Set-Cookie` field, before it is checked (RFC 6265bis section 5.6); of a repeated attribute, the last
/// counts.
struct ReceivedCookie {
    private(set) var name: ArraySlice<UInt8>
    private(set) var value: ArraySlice<UInt8>
    private(set) var expires: Int64?
    private(set) var maxAge: Int64?
    /// The domain in lower case, without a leading dot; empty without a domain.
    private(set) var domain: [UInt8] = []
    /// The path, if it begins with a slash; else `nil`.
    private(set) var path: ArraySlice<UInt8>?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: Cookie.SameSite?

    /// Parses a field's value.
    init(parsing field: [UInt8]) throws(CookieRefusal) {
        if field.contains(where: CookieSyntax.isControl) { throw .controlCharacter }
        let semicolon = UInt8(ascii: ";")
        let pair = field.prefix { $0 != semicolon }
        let (name, value) = ReceivedCookie.halves(pair)
        // Without an equals sign, all of it is the value.
        self.name = value == nil ? [] : name
        self.value = value ?? name
        try CookieSyntax.check(name: self.name, value: self.value)
        for attribute in field[pair.endIndex...].split(separator: semicolon) {
            let (name, value) = ReceivedCookie.halves(attribute)
            take(name, value ?? [])
        }
    }

    private static func halves(_ text: ArraySlice<UInt8>) -> (before: ArraySlice<UInt8>, behind: ArraySlice<UInt8>?) {
        guard let sign = text.firstIndex(of: UInt8(ascii: "=")) else { return (CookieSyntax.trimmed(text), nil) }
        return (CookieSyntax.trimmed(text[..<sign]), CookieSyntax.trimmed(text[(sign + 1)...]))
    }

    private mutating func take(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        guard value.count <= CookieSyntax.longestAttribute else { return }
        if CookieSyntax.matches(name, "expires") {
            if let date = CookieDate.seconds(value) { expires = date }
        } else if CookieSyntax.matches(name, "max-age") {
            let isNegative = value.first == UInt8(ascii: "-")
            if let seconds = CookieSyntax.number(isNegative ? value.dropFirst() : value) {
                maxAge = isNegative ? 0 : seconds
            }
        } else if CookieSyntax.matches(name, "domain") {
            let bare = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
            domain = bare.map(CookieSyntax.lowercased)
        } else if CookieSyntax.matches(name, "path") {
            path = value.first == UInt8(ascii: "/") ? value : nil
        } else if CookieSyntax.matches(name, "secure") {
            isSecure = true
        } else if CookieSyntax.matches(name, "httponly") {
            isHTTPOnly = true
        } else if CookieSyntax.matches(name, "samesite") {
            sameSite = Cookie.SameSite(word: value)
        }
    }

    /// When it expires, in seconds since 1970; `nil` for a session cookie.
    ///
    /// No cookie lasts longer than 400 days.
    func expiry(now: Int64) -> Int64? {
        if let maxAge { return maxAge <= 0 ? .min : now + min(maxAge, CookieSyntax.longestAge) }
        return expires.map { min($0, now + CookieSyntax.longestAge) }
    }
}
