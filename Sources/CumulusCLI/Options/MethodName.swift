// SPDX-License-Identifier: Apache-2.0

/// The METHOD of a command line.
enum MethodName {
    private static let known: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
    /// Methods that rarely have content (RFC 9110 section 9.3).
    private static let bodiless: Set<String> = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
    /// Others that look like misspelt ones; no registered one does.
    private static let others: Set<String> = ["WATCH", "BATCH"]

    /// Whether a text is one of the methods of RFC 9110 and RFC 5789, or QUERY, ignoring case.
    static func isKnown(_ text: String) -> Bool { known.contains(text.uppercased()) }

    /// The method that a text in capitals was probably meant to be; `nil` if it may well be one of its own.
    static func meant(by text: String) -> String? {
        if isKnown(text) || others.contains(text.uppercased()) { return nil }
        return SimilarName.of(text, among: known.sorted())
    }

    /// Whether a text has only ASCII letters.
    static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    /// Whether a text can be a method: letters, and between them hyphens, as in `M-SEARCH`.
    static func isMethod(_ text: String) -> Bool { text.parts(at: "-").allSatisfy(isWord) }

    /// Whether standard input is not read as a body for this method.
    static func leavesInputAlone(_ method: String) -> Bool { bodiless.contains(method.uppercased()) }

    /// Whether the first of several words is a method rather than the URL: it has only letters, or hyphens and capitals.
    ///
    /// With a base, the URL may also be a bare word, `users name=Ada`; then a method must be known or in capitals.
    static func isMethod(_ word: String, beforeOthers: Bool, hasBase: Bool) -> Bool {
        // With a hyphen, a word in small letters is a host.
        guard beforeOthers, isWord(word) || isMethod(word) && word == word.uppercased() else { return false }
        if word.lowercased() == "localhost" { return false }
        return !hasBase || isKnown(word) || word == word.uppercased()
    }
}
