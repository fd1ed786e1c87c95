// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A completed URL argument: `example.com/x`, `:3000/x`, `://host`, without its query and its user.
///
/// It only adds a missing scheme and host; the library's own parser reads the result, so that the command and the
/// library can't see two hosts in one text.
struct URLShorthand: Equatable, Sendable {
    /// Scheme, host, port and path, as the library reads them; a query only if it is a `?` without text after it.
    let url: RequestURL
    /// The text between `?` and `#`, encoded.
    let query: String?
    /// The user and password before the host.
    let user: Credentials?

    /// Completes a URL: https, unless it has a scheme or the host is this machine.
    ///
    /// - Throws: ``UsageMistake`` for an invalid URL; user and password are never quoted.
    init(parsing argument: String) throws(UsageMistake) {
        if let hint = UsageMistake.curlyQuoteHint(for: argument) {
            throw UsageMistake("the URL contains a typographic quote", hint: hint)
        }
        if let quote = argument.utf8.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            throw UsageMistake(
                "the URL begins with a quote",
                hint: "put the shell's quotes around the URL, not inside it"
            )
        }
        let whole = try URLShorthand.completed(argument)
        let parsed = try URLShorthand.parsed(whole.text, namesScheme: whole.namesScheme)
        query = parsed.url.query.flatMap { $0.isEmpty ? nil : $0 }
        url = RequestURL(
            origin: parsed.url.origin,
            path: parsed.url.path,
            query: query == nil ? parsed.url.query : nil
        )
        user = parsed.userInfo
    }

    /// An address in which `:PORT` stands for this machine: `:3000/x` becomes `http://localhost:3000/x`.
    static func address(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: ":"), let address = try? thisMachine(text) else { return text }
        return address
    }

    /// Whether an argument has a scheme.
    static func hasScheme(_ argument: String) -> Bool {
        let scheme = argument.utf8.prefix { $0 != UInt8(ascii: ":") }
        return isScheme(scheme) && argument.utf8[scheme.endIndex...].starts(with: "://".utf8)
    }

    /// Whether an argument names its host, so that it is never a path below a base: `https://host/x`, `:3000/x`.
    static func isWhole(_ argument: String) -> Bool {
        hasScheme(argument) || argument.utf8.first == UInt8(ascii: ":") && isAnotherURL(argument)
    }

    /// Whether a word after the URL is another URL rather than an item: it has a scheme, or is like `:3000/path`,
    /// `localhost:3000` or `a.example:3000/path`, of which no header is named.
    static func isAnotherURL(_ argument: String) -> Bool {
        if hasScheme(argument) {
            let scheme = argument.utf8.prefix { $0 != UInt8(ascii: ":") }.text.lowercased()
            return scheme == "http" || scheme == "https"
        }
        guard argument.utf8.first == UInt8(ascii: ":"), let next = argument.utf8.dropFirst().first else {
            return isHostWithPort(argument)
        }
        return next == UInt8(ascii: "/") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= next
    }

    private static func isHostWithPort(_ argument: String) -> Bool {
        guard let (host, rest) = argument.split(at: ":") else { return false }
        let isHost = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isHost, host == "localhost" || host.utf8.dropFirst().dropLast().contains(UInt8(ascii: ".")) else {
            return false
        }
        let digits = rest.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard UInt16(digits.text) != nil else { return false }
        return [nil, UInt8(ascii: "/"), UInt8(ascii: "?")].contains(rest.utf8[digits.endIndex...].first)
    }

    /// The library's parsing.
    private static func parsed(
        _ text: String,
        namesScheme: Bool
    ) throws(UsageMistake) -> (url: RequestURL, userInfo: Credentials?) {
        do throws(RequestURL.Malformation) {
            if namesScheme { return try RequestURL.parse(text) }
            return try RequestURL.parse(text) { isLoopback($0) ? .http : .https }
        } catch {
            let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }.text.lowercased()
            throw UsageMistake(error.description, hint: error.isScheme ? hint(scheme: scheme) : hint(host: text))
        }
    }

    /// The text from its scheme on, or from its host on if it has no scheme.
    private static func completed(_ text: String) throws(UsageMistake) -> (text: String, namesScheme: Bool) {
        let bytes = text.utf8
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
        if end == bytes.startIndex { throw UsageMistake("the URL is empty") }
        if bytes.starts(with: "://".utf8) { return (bytes.dropFirst(3).text, false) }
        if bytes.first == UInt8(ascii: ":"), !bytes.starts(with: "::".utf8) { return (try thisMachine(text), true) }
        if hasScheme(text) { return (text, true) }
        try refuseSlips(text)
        return (text, false)
    }

    /// `:3000/x`, `:/x`: this machine.
    private static func thisMachine(_ text: String) throws(UsageMistake) -> String {
        let digits = text.utf8.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let rest = text.utf8[digits.endIndex...]
        switch rest.first {
        case nil, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break
        default:
            throw UsageMistake("the URL \(quotedURL(text)) is not a port followed by a path", hint: "write :3000/path")
        }
        return "http://localhost\(digits.isEmpty ? "" : ":")\(digits.text)\(rest.text)"
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20 else { return false }
        return text.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    /// Whether a parsed host, in lower case and without brackets, is this machine.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.ends(with: ".localhost") || host == "::1" { return true }
        let octets = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0].text == "127" && octets.allSatisfy { UInt8($0.text) != nil }
    }

    /// The hint for a wrong host, if it may be about colons and brackets.
    private static func hint(host text: String) -> String? {
        if text.has(anyOf: "\\") { return "write / in place of the backslash" }
        let address = text.place(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let host = address.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        if !host.contains(UInt8(ascii: "@")), host.contains(UInt8(ascii: ":")), address.has(anyOf: "@") {
            return "in a password, write %2F for / and %3F for ?; -a USER:PASSWORD needs no escapes"
        }
        let port = host.dropFirst()
        if host.first == UInt8(ascii: ":"), !port.isEmpty, port.allSatisfy({ $0 &- 0x30 < 10 }) {
            return "\(host.text) is a port on this machine"
        }
        let colons = host.count { $0 == UInt8(ascii: ":") }
        guard colons > 1 || host.first == UInt8(ascii: "["), !host.contains(UInt8(ascii: "@")) else { return nil }
        return "write HOST:PORT/PATH, with an IPv6 address in brackets: [::1]:3000/path"
    }

    private static func hint(scheme: String) -> String {
        let isTypo =
            scheme.begins(with: "h") && scheme.utf8.count <= 7 || scheme.ends(with: "ttp") || scheme.ends(with: "ttps")
        switch scheme {
        case "s3", "gs": return "-A aws4 -a KEY:SECRET signs a request to the store's own URL, https://..."
        case "http+unix", "unix": return "--unix-socket FILE http://localhost/PATH connects to a socket"
        case _ where !isTypo: return "cumulus supports http:// and https://"
        default: break
        }
        return "did you mean \(scheme.ends(with: "s") ? "https" : "http")://?"
    }
}
