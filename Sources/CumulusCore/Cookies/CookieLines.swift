// SPDX-License-Identifier: Apache-2.0

/// The file format of the Netscape browser, which curl and others read and write: one cookie per line, with seven
/// fields separated by tabs.
///
/// The format has no field for `SameSite`; a comment before the line contains it.
enum CookieLines {
    private static let mostLines = 20_000
    private static let longestLine = 8_192
    private static let tab = UInt8(ascii: "\t")
    private static let newline = UInt8(ascii: "\n")
    private static let sameSite = "# SameSite="
    private static let httpOnly = "#HttpOnly_"
    private static let markPrefix = "# Jar="

    /// The cookies in the file format, with session cookies if requested.
    static func text(of cookies: [Cookie], withSession: Bool, mark: CookieFileMark? = nil) -> [UInt8] {
        var text = Array("# Netscape HTTP Cookie File\n# Written by Cumulus. This file contains secrets.\n".utf8)
        if let mark { text += Array("\(markPrefix)\(mark.text)\n".utf8) }
        text.append(newline)
        for cookie in cookies where withSession || cookie.expiry != nil { append(cookie, to: &text) }
        return text
    }

    private static func append(_ cookie: Cookie, to text: inout [UInt8]) {
        if let word = cookie.sameSite { text += Array("\(sameSite)\(word.rawValue)\n".utf8) }
        let words = [
            (cookie.isHTTPOnly ? httpOnly : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
            cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
            // 0 means a session cookie.
            "\(cookie.expiry.map { max(1, $0) } ?? 0)",
        ]
        for word in words {
            text += Array(word.utf8)
            text.append(tab)
        }
        text += Array(cookie.nameBytes)
        text.append(tab)
        text += Array(cookie.valueBytes)
        text.append(newline)
    }

    /// The mark of a file; `nil` without one, or with several.
    static func mark(in bytes: [UInt8]) -> CookieFileMark? {
        let marks = bytes.split(separator: newline).filter { $0.starts(with: markPrefix.utf8) }
        guard marks.count == 1, let line = marks.first else { return nil }
        return CookieFileMark(parsing: line.dropFirst(markPrefix.utf8.count))
    }

    /// Parses a file.
    ///
    /// A well-formed line with a refused cookie, such as one for a public suffix, is ignored, like a server's.
    static func cookies(in bytes: [UInt8]) throws(CookieFileProblem) -> [Cookie] {
        var cookies: [Cookie] = []
        var (number, sameSite) = (0, Cookie.SameSite?.none)
        for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
            number += 1
            if number > mostLines { throw CookieFileProblem(line: number, reason: "the file has too many lines") }
            if line.count > longestLine { throw CookieFileProblem(line: number, reason: "it is too long") }
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            let isMarked = line.starts(with: httpOnly.utf8)
            if line.isEmpty || line.first == UInt8(ascii: "#") && !isMarked {
                let word = line.starts(with: self.sameSite.utf8) ? line.dropFirst(self.sameSite.utf8.count) : []
                sameSite = Cookie.SameSite(word: word)
                continue
            }
            let bare = isMarked ? line.dropFirst(httpOnly.utf8.count) : line
            if let cookie = try cookie(bare, number, isHTTPOnly: isMarked, sameSite) { cookies.append(cookie) }
            sameSite = nil
        }
        return cookies
    }

    private static func cookie(
        _ line: ArraySlice<UInt8>,
        _ number: Int,
        isHTTPOnly: Bool,
        _ sameSite: Cookie.SameSite?
    ) throws(CookieFileProblem) -> Cookie? {
        func problem(_ reason: String) -> CookieFileProblem { CookieFileProblem(line: number, reason: reason) }
        var fields = line.split(separator: tab, omittingEmptySubsequences: false)
        // The tab before an empty value may be missing.
        if fields.count == 6 { fields.append([]) }
        guard fields.count == 7 else { throw problem("it doesn't have seven tab-separated fields") }
        guard let coversSubdomains = flag(fields[1]) else {
            throw problem("its second field is neither TRUE nor FALSE")
        }
        guard let isSecure = flag(fields[3]) else { throw problem("its fourth field is neither TRUE nor FALSE") }
        guard let expiry = CookieSyntax.number(fields[4]) else { throw problem("its fifth field is not a time") }
        let dotted = fields[0].first == UInt8(ascii: ".") ? fields[0].dropFirst() : fields[0]
        let domain = String(decoding: dotted.map(CookieSyntax.lowercased), as: UTF8.self)
        do throws(CookieRefusal) {
            return try Cookie(
                name: fields[5],
                value: fields[6],
                expiry: expiry == 0 ? nil : expiry,
                domain: domain,
                isHostOnly: !coversSubdomains || CookieDomain.isAddress(domain),
                path: String(decoding: fields[2], as: UTF8.self),
                isSecure: isSecure,
                isHTTPOnly: isHTTPOnly,
                sameSite: sameSite
            )
        } catch {
            switch error {
            case .publicSuffix, .brokenPrefix, .tooLong, .empty, .delimiter: return nil
            default: throw problem(error.description)
            }
        }
    }

    private static func flag(_ field: ArraySlice<UInt8>) -> Bool? {
        if CookieSyntax.matches(field, "true") { return true }
        return CookieSyntax.matches(field, "false") ? false : nil
    }
}
