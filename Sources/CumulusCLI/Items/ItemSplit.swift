// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The items of a command line, which the shell has split at spaces.
struct ItemSplit {
    private let words: [String]
    /// The hint if a word may belong to a secret that contains a space; no word is quoted then.
    private let secretHint: String?
    /// Whether the names of data are keys of JSON.
    private let hasKeys: Bool

    /// Splits the words of items, of which no other words are part.
    init(_ words: some Sequence<String>, _ arguments: Arguments) {
        self.words = Array(words)
        hasKeys = !arguments.form && !arguments.multipart
        secretHint =
            if arguments.mayContinueSecret {
                UsageMistake.spacedSecretHint
            } else if arguments.raw != nil {
                "text with spaces needs quotes: --raw '{\"name\": 1}'"
            } else if arguments.words.contains(where: ItemSplit.endsInSecret) {
                "a URL with spaces needs quotes"
            } else {
                nil
            }
    }

    /// Whether a URL's query has a secret, whose end may be the next word.
    private static func endsInSecret(_ word: String) -> Bool {
        guard let query = word.split(at: "?")?.behind else { return false }
        return query.parts(at: "&").contains { SecretRedaction.isSecret(String($0.before("="))) }
    }

    /// The items.
    ///
    /// - Throws: ``UsageMistake`` with what was probably meant, if a word is not an item. It never quotes a value that may
    ///   be a secret.
    func items() throws(UsageMistake) -> [RequestItem] {
        var items: [RequestItem] = []
        for (index, word) in words.enumerated() {
            guard RequestItem.isItem(word) else { throw mistake(at: index, after: items.last) }
            let item = try parsed(word)
            try refuseLostCookie(item, after: items.last)
            items.append(item)
        }
        return items
    }

    /// The item of a word; a mistake in it doesn't quote it if it may belong to a secret.
    private func parsed(_ word: String) throws(UsageMistake) -> RequestItem {
        do {
            let item = try RequestItem(parsing: word)
            if hasKeys, secretHint != nil, item.kind.isData { _ = try NestedKey(parsing: item.name) }
            return item
        } catch {
            guard let secretHint else { throw error }
            throw UsageMistake("one of the items is not valid", hint: secretHint)
        }
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
        if let secretHint, !MethodName.isKnown(word), !Subcommand.words.contains(word) {
            let hint = hintWithoutQuoting(at: index, after: last) ?? secretHint
            return UsageMistake("one of the words is not an item", hint: hint)
        }
        if let last, last.kind == .header || SecretRedaction.isSecret(last.name) { return splitValue(of: last) }
        if let kind = separator(after: index) {
            return UsageMistake(
                "the item \(quotedURL(word)) has no separator",
                hint: "write \(ItemSplit.form(word, kind)) without spaces around the separator"
            )
        }
        guard RequestItem.hint(withoutSeparator: word) == nil, let last, last.kind.isLiteral || last.kind == .upload
        else {
            return RequestItem.notAnItem(word)
        }
        return splitValue(of: last)
    }

    /// The probable meaning of a word that may belong to a secret; `nil` if it is unknown.
    private func hintWithoutQuoting(at index: Int, after last: RequestItem?) -> String? {
        let word = words[index]
        if word.begins(with: "-") || word.begins(with: "/"), let hint = RequestItem.hint(withoutSeparator: word) {
            return hint
        }
        if separator(after: index) != nil { return "write the item without spaces around its separator" }
        return last?.kind == .header ? "a header's value with spaces needs quotes: NAME:'VALUE'" : nil
    }

    /// The separator that the next word is, as in `name = value`; `nil` if it isn't one.
    private func separator(after index: Int) -> RequestItem.Kind? {
        words.indices.contains(index + 1) ? RequestItem.Kind(rawValue: words[index + 1]) : nil
    }

    /// The mistake of a value that the shell has split, and that is not quoted, since it may be a secret.
    private func splitValue(of item: RequestItem) -> UsageMistake {
        UsageMistake(
            "the value of \(quoted(item.name + item.kind.rawValue)) is split at a space",
            hint: "write \(ItemSplit.form(item.name, item.kind)), with quotes if the value contains spaces"
        )
    }

    /// An item with this name, as it is typed in a shell.
    private static func form(_ name: String, _ kind: RequestItem.Kind) -> String {
        let isAuthorization = name.lowercased() == "authorization"
        // `Authorization=` would be data, and a value can't follow the separator of an empty header.
        let separator = isAuthorization || kind == .emptyHeader ? ":" : kind.rawValue
        let value = isAuthorization ? "Bearer TOKEN" : kind == .upload ? "FILE" : "VALUE"
        return ShellWord("\(name)\(separator)\(value)").description
    }
}
