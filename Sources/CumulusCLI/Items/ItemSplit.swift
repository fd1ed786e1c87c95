// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The items of a command line, which the shell has split at spaces.
struct ItemSplit {
    private let words: [String]
    /// Whether a word may belong to an option's secret that contains a space.
    private let hasSecret: Bool

    /// Splits the words of items, of which no other words are part.
    init(_ words: some Sequence<String>, _ arguments: Arguments) {
        self.words = Array(words)
        hasSecret = arguments.mayContinueSecret
    }

    /// The items.
    ///
    /// - Throws: ``UsageMistake`` with what was probably meant, if a word is not an item. It never quotes a value that may
    ///   be a secret.
    func items() throws(UsageMistake) -> [RequestItem] {
        var items: [RequestItem] = []
        for (index, word) in words.enumerated() {
            guard RequestItem.isItem(word) else { throw mistake(at: index, after: items.last) }
            let item = try RequestItem(parsing: word)
            try refuseLostCookie(item, after: items.last)
            items.append(item)
        }
        return items
    }

    /// Refuses `Cookie: name=value`, which would remove the header, and send its value as data.
    private func refuseLostCookie(_ item: RequestItem, after last: RequestItem?) throws(UsageMistake) {
        guard let last, last.kind == .header, last.value.isEmpty, last.name.lowercased() == "cookie", item.kind == .text
        else { return }
        throw UsageMistake(
            "a space separates Cookie from its value",
            hint: "write Cookie:NAME=VALUE, with quotes if it contains spaces or semicolons; Cookie: as the last item "
                + "removes the header"
        )
    }

    private func mistake(at index: Int, after last: RequestItem?) -> UsageMistake {
        let word = words[index]
        if let last, isSecret(last) || last.kind == .header && last.value.isEmpty {
            return valueWithSpaces(of: last, continued: word)
        }
        if hasSecret, !MethodName.isKnown(word), !Subcommand.words.contains(word) {
            return UsageMistake("there is a word that is not an item", hint: hintWithoutQuoting(at: index))
        }
        if let hint = hintForSpaces(at: index) {
            return UsageMistake("the item \(quotedURL(word)) has no separator", hint: hint)
        }
        let special = RequestItem.hint(withoutSeparator: word)
        if special == nil, let last, last.kind.isLiteral || last.kind == .upload {
            return valueWithSpaces(of: last, continued: word)
        }
        return RequestItem.notAnItem(word)
    }

    /// The hint for a word that may belong to a secret.
    private func hintWithoutQuoting(at index: Int) -> String {
        let word = words[index]
        if word.begins(with: "-") || word.begins(with: "/"), let hint = RequestItem.hint(withoutSeparator: word) {
            return hint
        }
        if words.indices.contains(index + 1), RequestItem.Kind(rawValue: words[index + 1]) != nil {
            return "write the item without spaces around its separator"
        }
        return "a password with spaces needs quotes: -a 'USER:PASSWORD'; -A bearer -a TOKEN sends a token"
    }

    /// Whether an item's value is a secret, or the scheme of one: `Bearer`.
    private func isSecret(_ item: RequestItem) -> Bool {
        let schemes = ["bearer", "basic", "token", "digest", "apikey", "negotiate"]
        return SecretRedaction.isSecret(item.name) || schemes.contains(item.value.lowercased())
    }

    /// The hint for `name = value`.
    private func hintForSpaces(at index: Int) -> String? {
        guard words.indices.contains(index + 1), let kind = RequestItem.Kind(rawValue: words[index + 1]) else {
            return nil
        }
        let isShown = !SecretRedaction.isSecret(words[index]) && words.indices.contains(index + 2)
        let value = isShown ? words[index + 2] : "VALUE"
        return "write \(quotation(words[index] + kind.rawValue, value)) without spaces around the separator"
    }

    /// The mistake of a value that the shell has split.
    private func valueWithSpaces(of item: RequestItem, continued word: String) -> UsageMistake {
        let start = item.name + item.kind.rawValue
        if isSecret(item) {
            let example = item.name.lowercased() == "authorization" ? "Bearer TOKEN" : "VALUE"
            return UsageMistake(
                "the value of \(quoted(start)) contains a space without quotes",
                hint: "write \(quotation(start, example))"
            )
        }
        let value = item.value.isEmpty ? word : "\(item.value) \(word)"
        return UsageMistake(
            "the item \(quotedURL(word)) has no separator",
            hint: "write \(quotation(start, value)), if it belongs to \(quoted(start))"
        )
    }

    /// An item as a shell takes it: with quotes around its value if that needs them.
    private func quotation(_ start: String, _ value: String) -> String {
        let needsQuotes = value.utf8.contains { [0x20, UInt8(ascii: ";"), UInt8(ascii: "&")].contains($0) }
        let shown = SecretRedaction.suspectURL(value)
        return needsQuotes && !shown.has(anyOf: "'") ? "\(start)'\(shown)'" : "\(start)\(shown)"
    }
}
