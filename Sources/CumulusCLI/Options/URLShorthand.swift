// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The URL argument made whole: `example.com/x`, `:3000/x`, `://host`, without its query and its user.
struct URLShorthand: Equatable, Sendable {
    /// Scheme, host, port and path.
    let url: String
    /// What stood between `?` and `#`.
    let query: String?
    /// User and password that stood before the host.
    let userInfo: String?

    /// Makes a URL whole: https unless it says otherwise or means this machine.
    ///
    /// - Throws: ``UsageMistake`` for what is no URL; user and password are never quoted.
    init(parsing argument: String) throws(UsageMistake) {
        if let hint = UsageMistake.curlyQuoteHint(for: argument) {
            throw UsageMistake("the URL holds a typographic quote", hint: hint)
        }
        let whole = argument.prefix { $0 != "#" }
        let address = whole.prefix { $0 != "?" }
        query = address.endIndex < whole.endIndex ? String(whole[whole.index(after: address.endIndex)...]) : nil
        let (scheme, rest) = try URLShorthand.split(String(address))
        let authorityEnd = rest.firstIndex { $0 == "/" } ?? rest.endIndex
        var authority = rest[..<authorityEnd]
        if let at = authority.lastIndex(of: "@") {
            userInfo = String(authority[..<at])
            authority = authority[authority.index(after: at)...]
        } else {
            userInfo = nil
        }
        let name = scheme ?? (URLShorthand.isLoopback(authority) ? "http" : "https")
        url = "\(name)://\(authority)\(rest[authorityEnd...])"
        do {
            _ = try RequestURL(url)
        } catch {
            throw UsageMistake(error.description, hint: error.isScheme ? URLShorthand.hint(scheme: name) : nil)
        }
    }

    /// Whether an argument names its scheme.
    static func hasScheme(_ argument: String) -> Bool {
        guard let colon = argument.firstIndex(of: ":"), argument[colon...].hasPrefix("://") else { return false }
        return isScheme(argument[..<colon])
    }

    /// Splits off the scheme, where there is one, and replaces shorthands.
    private static func split(_ address: String) throws(UsageMistake) -> (scheme: String?, rest: Substring) {
        if address.isEmpty { throw UsageMistake("the URL is empty") }
        if address.hasPrefix("://") { return (nil, address.dropFirst(3)) }
        if address.hasPrefix(":"), !address.hasPrefix("::") {
            // `:3000/x`, `:/x`: this machine.
            let afterColon = address.dropFirst()
            let digits = afterColon.prefix { $0.isASCII && $0.isNumber }
            let rest = afterColon[digits.endIndex...]
            guard rest.isEmpty || rest.hasPrefix("/") else {
                throw UsageMistake("the URL \(quoted(address)) is no port and path", hint: "write :3000/path")
            }
            return ("http", "localhost\(digits.isEmpty ? "" : ":")\(digits)\(rest)"[...])
        }
        guard let colon = address.firstIndex(of: ":") else { return (nil, try withoutSlips(address)) }
        let name = address[..<colon]
        let rest = address[address.index(after: colon)...]
        if rest.hasPrefix("//"), isScheme(name) { return (name.lowercased(), rest.dropFirst(2)) }
        if ["http", "https"].contains(name.lowercased()), rest.hasPrefix("/") || rest.first?.isLetter == true {
            throw UsageMistake(
                "the URL lacks a slash after \(quoted("\(name):"))",
                hint: "write \(name.lowercased())://HOST/PATH"
            )
        }
        return (nil, address[...])
    }

    /// Refuses what is more likely a slip than a host.
    private static func withoutSlips(_ address: String) throws(UsageMistake) -> Substring {
        if address.hasPrefix("//") {
            throw UsageMistake("the URL \(quoted(address)) has no scheme", hint: "write https:\(address)")
        }
        if address.hasPrefix("/") {
            throw UsageMistake(
                "the URL \(quoted(address)) names no host",
                hint: ":\(address) is this machine; --base URL makes it a path under that URL"
            )
        }
        for name in ["https", "http"] where address.hasPrefix("\(name)//") {
            throw UsageMistake("the URL lacks a colon after \(quoted(name))", hint: "write \(name)://HOST/PATH")
        }
        return address[...]
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        if authority.hasPrefix("[") { return authority.prefix { $0 != "]" } == "[::1" }
        let host = authority.prefix { $0 != ":" }.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
    }

    private static func hint(scheme: String) -> String {
        let isTypo = scheme.hasPrefix("h") && scheme.count <= 7 || scheme.hasSuffix("ttp") || scheme.hasSuffix("ttps")
        guard isTypo else { return "cumulus speaks http:// and https://" }
        return "did you mean \(scheme.hasSuffix("s") ? "https" : "http")://?"
    }
}
