// SPDX-License-Identifier: Apache-2.0

/// An invalid command line: what is wrong in one line, and what was probably meant.
struct UsageMistake: Error, Equatable {
    let reason: String
    let hint: String?
    /// What the user should know besides, since it may be the cause.
    var notice: String?
    /// The option that it is about, with its dashes, if it is about the value of one.
    let option: String?

    init(_ reason: String, hint: String? = nil, about option: String? = nil) {
        self.reason = reason
        self.hint = hint
        self.option = option
    }

    /// Names in a sentence: "a, b or c".
    static func list(_ names: [String], joinedBy word: String = "or") -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
    }

    /// The hint for a word that is probably the end of a secret with a space.
    static let spacedSecretHint =
        "a password with spaces needs quotes: -a 'USER:PASSWORD'; -A bearer -a TOKEN sends a token"

    /// The hint for curly quotes from a word processor, if a text contains any.
    static func curlyQuoteHint(for text: String) -> String? {
        let curly: Set<Unicode.Scalar> = [
            "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{00AB}", "\u{00BB}",
        ]
        guard let found = text.unicodeScalars.first(where: curly.contains) else { return nil }
        return "\(found) is a typographic quote, which neither shells nor JSON understand: type ' or \" instead"
    }
}
