// SPDX-License-Identifier: Apache-2.0

/// The METHOD of a command line.
enum MethodName {
    private static let known: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
    ]
    /// Methods that are seldom sent with content (RFC 9110 section 9.3).
    private static let bodiless: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    /// Whether this is one of the methods of RFC 9110 and RFC 5789, in any case.
    static func isKnown(_ text: String) -> Bool { known.contains(text.uppercased()) }

    /// Whether a text has only letters of ASCII.
    static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    /// Whether standard input is not asked for a body when this method is named.
    static func leavesInputAlone(_ method: String) -> Bool { bodiless.contains(method.uppercased()) }

    /// Whether the first of several words is a method rather than the URL: it has only letters.
    ///
    /// With a base the URL may be a bare word too, `users name=Ada`; then a method must be known or in capitals.
    static func isMethod(_ word: String, beforeOthers: Bool, hasBase: Bool) -> Bool {
        guard beforeOthers, isWord(word) else { return false }
        if word.lowercased() == "localhost" { return false }
        return !hasBase || isKnown(word) || word == word.uppercased()
    }
}
