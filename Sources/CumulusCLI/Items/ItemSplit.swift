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
        // The values of headers are often credentials.
        if let last, last.kind == .header || SecretRedaction.isSecret(last.name) { return splitValue(of: last) }
        if hasSecret, !MethodName.isKnown(word), !Subcommand.words.contains(word) {
            return UsageMistake("a word is not an item", hint: hintWithoutQuoting(at: index))
        }
        if let hint = hintForSpaces(at: index) {
            return UsageMistake("the item \(quotedURL(word)) has no separator", hint: hint)
        }
        guard RequestItem.hint(withoutSeparator: word) == nil, let last, last.kind.isLiteral || last.kind == .upload
        else {
            return RequestItem.notAnItem(word)
        }
        let start = last.name + last.kind.rawValue
        return UsageMistake(
            "the item \(quotedURL(word)) has no separator",
            hint: "write \(typed(start, "\(last.value) \(word)")), if it belongs to \(quoted(start))"
        )
    }

    /// The hint for a word that may belong to a secret.
    private func hintWithoutQuoting(at index: Int) -> String {
        let word = words[index]
        if word.begins(with: "-") || word.begins(with: "/"), let hint = RequestItem.hint(withoutSeparator: word) {
            return hint
        }
        return separator(after: index) == nil
            ? UsageMistake.spacedSecretHint : "write the item without spaces around its separator"
    }

    /// The separator that the next word is, as in `name = value`; `nil` if it isn't one.
    private func separator(after index: Int) -> RequestItem.Kind? {
        words.indices.contains(index + 1) ? RequestItem.Kind(rawValue: words[index + 1]) : nil
    }

    /// The hint for `name = value`.
    private func hintForSpaces(at index: Int) -> String? {
        guard let kind = separator(after: index) else { return nil }
        let isShown = kind != .header && !SecretRedaction.isSecret(words[index]) && words.indices.contains(index + 2)
        let value = isShown ? words[index + 2] : "VALUE"
        return "write \(typed(words[index] + kind.rawValue, value)) without spaces around the separator"
    }

    /// The mistake of a value that the shell has split, and which is not quoted.
    private func splitValue(of item: RequestItem) -> UsageMistake {
        let start = item.name + item.kind.rawValue
        let example = item.name.lowercased() == "authorization" ? "Bearer TOKEN" : "VALUE"
        return UsageMistake(
            "the value of \(quoted(start)) is split at a space",
            hint: "write \(typed(start, example)), with quotes if the value contains spaces"
        )
    }

    /// An item as it is typed in a shell, without a possible secret in a URL.
    private func typed(_ start: String, _ value: String) -> String {
        ShellWord(start + SecretRedaction.suspectURL(value)).description
    }
}
