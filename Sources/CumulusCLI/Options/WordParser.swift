// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Splits the words of a command line: `[METHOD] URL [URL ...] [ITEM ...]`.
struct WordParser {
    private let words: [String]
    private let hasBase: Bool
    /// Whether a word may belong to an option's secret that contains a space.
    private let hasSecret: Bool

    init(_ arguments: Arguments, hasBase: Bool) {
        words = arguments.words
        hasSecret = arguments.mayContinueSecret
        self.hasBase = hasBase
    }

    /// The method, the URLs, and the items.
    func parsed() throws(UsageMistake) -> (method: String?, urls: [String], items: [String]) {
        var rest = words[...]
        guard let first = rest.popFirst() else { throw UsageMistake("missing URL") }
        var (method, url): (String?, String) = (nil, first)
        if MethodName.isMethod(first, beforeOthers: !rest.isEmpty, hasBase: hasBase) {
            try refuseUnknown(first, before: rest.first)
            guard let next = rest.popFirst() else { throw UsageMistake("missing URL") }
            (method, url) = (first, next)
            if !hasBase, !rest.isEmpty, MethodName.isKnown(next) {
                throw UsageMistake("there are two methods, \(quoted(first)) and \(quoted(next))")
            }
        } else if rest.isEmpty, !hasBase {
            try refuseAlone(first)
        }
        try refuseItem(url, before: rest)
        let others = rest.filter(URLShorthand.isAnotherURL)
        if let other = others.first {
            if hasSecret { try refuseEndOfSecret(url) } else if method == nil { try refuseBareWord(url, before: other) }
        }
        return (method, [url] + others, rest.filter { !URLShorthand.isAnotherURL($0) })
    }

    /// Refuses an item in the place of the URL; nothing of its value is quoted.
    private func refuseItem(_ word: String, before rest: ArraySlice<String>) throws(UsageMistake) {
        guard !URLShorthand.hasScheme(word), let item = try? RequestItem(parsing: word) else { return }
        let hasPath = item.name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let isURL: Bool =
            switch item.kind {
            // A user before a host.
            case .upload: !item.name.isEmpty
            // A host and its port, or a user and a password.
            case .header where item.value.isEmpty && item.name.utf8.contains(where: RequestItem.isCapital):
                item.name.has(anyOf: ".")
            case .header:
                !item.name.utf8.contains(where: RequestItem.isCapital) || item.name.has(anyOf: ".")
                    || item.value.has(anyOf: "@") || !rest.contains(where: URLShorthand.isAnotherURL)
            case .emptyHeader, .headerFromFile: true
            case .query, .queryFromFile, .text, .textFromFile, .json, .jsonFromFile: false
            }
        if isURL || hasPath { return }
        let shown = hasSecret ? "an item" : "the item \(quoted(item.name + item.kind.rawValue))"
        throw UsageMistake(
            "\(shown) comes before the URL",
            hint: "write cumulus [METHOD] URL [ITEM ...]"
                + (item.kind == .text ? "; a cookie is the item Cookie:NAME=VALUE, and -b prints the body" : "")
                + (item.kind == .header && item.value.isEmpty ? "; a value with spaces needs quotes: Name:'TEXT'" : "")
        )
    }

    /// Refuses a word without a scheme before another URL: it is more likely the end of a secret that contains a space.
    func refuseEndOfSecret(_ word: String) throws(UsageMistake) {
        if hasBase || URLShorthand.isWhole(word) { return }
        throw UsageMistake(
            "unexpected word before the URL",
            hint: "\(UsageMistake.spacedSecretHint); if this word is a URL, include its scheme"
        )
    }

    /// Refuses a word in the place of the URL before a URL.
    private func refuseBareWord(_ word: String, before url: String) throws(UsageMistake) {
        guard !hasBase, word != "-", !word.has(anyOf: ".", ":", "/", "?", "[", "@") else { return }
        if word == "localhost", url.begins(with: ":") {
            throw UsageMistake("the URL contains a space", hint: "write localhost\(SecretRedaction.suspectURL(url))")
        }
        // A number has its own hint.
        guard word != "localhost", Int(word) == nil else { return }
        throw UsageMistake(
            "unexpected word \(quoted(word)) before the URL",
            hint: "for a host without a dot, add a slash: \(word)/"
        )
    }

    /// Refuses an unknown method, unless it is written in capitals.
    private func refuseUnknown(_ word: String, before next: String?) throws(UsageMistake) {
        if Subcommand.words.contains(word) {
            throw UsageMistake("the command \(word) must come before all options", hint: "see cumulus \(word) --help")
        }
        if MethodName.isKnown(word) || word == word.uppercased() { return }
        if hasSecret, SimilarName.of(word) == nil, !["http", "https", "xh", "xhs", "cumulus"].contains(word) {
            throw UsageMistake(
                "a word before the URL is not a method or command",
                hint: "\(UsageMistake.spacedSecretHint); for a host without a dot, add a slash"
            )
        }
        throw UsageMistake("unknown method or command \(quoted(word))", hint: hint(for: word, before: next))
    }

    private func hint(for word: String, before next: String?) -> String {
        if word == "http" || word == "xh" { return "omit \(word): cumulus URL" }
        if word == "https" || word == "xhs" { return "https is the default; write https:// before localhost" }
        if word == "cumulus" { return "omit the second cumulus" }
        if ["ms", "s", "sec", "seconds", "m", "min", "minutes", "times", "kb", "mb"].contains(word.lowercased()) {
            return "write a number and its unit without a space: 100ms, 5s, 2m; a count has no unit"
        }
        if let name = SimilarName.of(word) { return "did you mean cumulus \(name)?" }
        if let next, RequestItem.isItem(next), !URLShorthand.isAnotherURL(next) {
            return "for a host without a dot, add a slash: \(word)/"
        }
        return "write other methods in capitals: cumulus \(word.uppercased()) URL"
    }

    /// Refuses a single word that is more likely half a command line than a host.
    private func refuseAlone(_ word: String) throws(UsageMistake) {
        if MethodName.isKnown(word) {
            throw UsageMistake(
                "missing URL after the method \(quoted(word))",
                hint: "write cumulus \(word.lowercased()) URL"
            )
        }
        if word == "version" {
            throw UsageMistake("missing URL: the only word is 'version'", hint: "write cumulus --version")
        }
        guard MethodName.isWord(word), let name = SimilarName.of(word, amongMethods: false) else { return }
        throw UsageMistake(
            "missing URL: the only word is \(quoted(word))",
            hint: "did you mean cumulus \(name)? For a host with that name, write \(word)/"
        )
    }

    /// The notice if the environment's base turns an apparent host into a path.
    static func notice(of argument: String, below base: String) -> String? {
        guard !URLShorthand.isWhole(argument) else { return nil }
        let first = argument.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let isHost = first.contains(UInt8(ascii: ".")) || first.contains(UInt8(ascii: ":")) || first.text == "localhost"
        guard isHost, first.first != UInt8(ascii: ".") else { return nil }
        return "CUMULUS_BASE makes \(quotedURL(argument)) a path below \(quotedURL(base)); "
            + "to avoid this, write the URL with its scheme, or add --base=''"
    }
}
