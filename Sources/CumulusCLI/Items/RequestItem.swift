// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// An ITEM of the command line, split at its separator, with its escapes resolved.
struct RequestItem: Equatable, Sendable {
    /// The kinds of items, by their separators.
    enum Kind: String, CaseIterable, Sendable {
        case header = ":"
        case emptyHeader = ";"
        case headerFromFile = ":@"
        case query = "=="
        case queryFromFile = "==@"
        case text = "="
        case textFromFile = "=@"
        case json = ":="
        case jsonFromFile = ":=@"
        case upload = "@"

        /// Whether items of this kind are part of the body.
        var isData: Bool {
            switch self {
            case .text, .textFromFile, .json, .jsonFromFile, .upload: true
            case .header, .emptyHeader, .headerFromFile, .query, .queryFromFile: false
            }
        }

        /// Whether the value itself is sent, rather than a file with that name.
        var isLiteral: Bool {
            switch self {
            case .header, .query, .text, .json: true
            case .emptyHeader, .headerFromFile, .queryFromFile, .textFromFile, .jsonFromFile, .upload: false
            }
        }
    }

    let kind: Kind
    let name: String
    let value: String
}

extension RequestItem {
    /// Splits an item at its first separator, the longest that begins there; `\` escapes a separator.
    ///
    /// - Throws: ``UsageMistake``, which never quotes a value.
    init(parsing argument: String) throws(UsageMistake) {
        guard let item = RequestItem.split(argument) else { throw RequestItem.notAnItem(argument) }
        let kinds: [Kind] = [.header, .headerFromFile, .emptyHeader, .upload]
        if kinds.contains(item.kind), RequestItem.beginsAsJSON(argument) { throw RequestItem.jsonText }
        // The shell has removed the quotes of JSON: `{a:1}`. No header has such a name.
        if item.kind != .upload, !item.kind.isData, item.name.begins(with: "{") { throw RequestItem.jsonText }
        if item.kind == .emptyHeader, !item.value.isEmpty {
            throw UsageMistake(
                "the item \(quoted(item.name + ";")) has text after its semicolon",
                hint: "\(item.name):value sets a header, \(item.name); sends an empty header"
            )
        }
        if item.name.isEmpty, !item.kind.isData {
            throw UsageMistake("an item has no name before \(quoted(item.kind.rawValue))")
        }
        if item.kind == .text || item.kind == .query, item.name.begins(with: "?") {
            throw UsageMistake(
                "the item \(quoted(item.name)) begins with '?'",
                hint: "write the query in the URL, without a space, or as an item: name==text; ?x:='\"text\"' is data"
            )
        }
        if let first = item.name.unicodeScalars.first, first == "\u{201C}" || first == "\u{2018}" {
            throw UsageMistake(
                "the item \(quoted(item.name)) begins with a typographic quote",
                hint: UsageMistake.curlyQuoteHint(for: item.name)
            )
        }
        self = item
    }

    /// A notice if another kind of item was probably meant, with a known header's name or a JSON value after `=`.
    var doubt: String? {
        guard kind == .text else { return nil }
        if ["Content-Type", "Accept", "Authorization", "User-Agent", "Cookie", "If-None-Match"].contains(name) {
            return "\(quoted("\(name)=")) is data; \(name):TEXT is a header"
        }
        guard value.begins(with: ":"), value.utf8.count > 1, (try? JSON(parsing: value.utf8.dropFirst().text)) != nil
        else { return nil }
        return "the value of \(quoted("\(name)=")) begins with a colon; \(name):=VALUE is a number or other JSON"
    }

    /// Whether its value is standard input.
    var readsInput: Bool { !kind.isLiteral && kind != .emptyHeader && (value == "-" || value.begins(with: "-;")) }

    static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }

    /// Whether an argument has a separator at all.
    static func isItem(_ argument: String) -> Bool { split(argument) != nil }

    /// The item as an argument that is parsed as the same item.
    var argument: String {
        "\(RequestItem.escaped(name))\(kind.rawValue)\(RequestItem.escaped(value))"
    }

    private static let backslash = UInt8(ascii: "\\")
    /// The longest first, so that the first match is the right one.
    private static let kinds = Kind.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "@"): true
        default: false
        }
    }

    private static func split(_ argument: String) -> RequestItem? {
        var name: [UInt8] = []
        var rest = argument.utf8[...]
        while let byte = rest.first {
            if byte == backslash {
                rest = rest.dropFirst()
                guard let escaped = rest.popFirst() else { break }
                if !isSeparator(escaped) { name.append(backslash) }
                name.append(escaped)
            } else if isSeparator(byte), let kind = kinds.first(where: { rest.starts(with: $0.rawValue.utf8) }) {
                let value = rest.dropFirst(kind.rawValue.utf8.count)
                return RequestItem(kind: kind, name: String(decoding: name, as: UTF8.self), value: unescaped(value))
            } else {
                name.append(byte)
                rest = rest.dropFirst()
            }
        }
        return nil
    }

    /// A value, in which only escaped separators lose their backslash.
    private static func unescaped(_ text: Substring.UTF8View) -> String {
        guard text.contains(backslash) else { return text.text }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in text {
            if isEscaped {
                if !isSeparator(byte) { result.append(backslash) }
                result.append(byte)
                isEscaped = false
            } else if byte == backslash {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        return String(decoding: isEscaped ? result + [backslash] : result, as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isSeparator(byte) { result.append(backslash) }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a text is probably JSON: no item begins like that.
    static func beginsAsJSON(_ text: String) -> Bool {
        let start = text.utf8.lazy.filter { $0 > 0x20 }.prefix(2)
        return ["{\"", "[{", "[\""].contains { start.elementsEqual($0.utf8) }
    }

    /// The mistake for JSON text in place of an item; it may contain a secret.
    private static let jsonText = UsageMistake(
        "JSON text is not an item",
        hint: "--raw '{\"name\": 1}', with quotes, sends it as the body; name:=1 sends a value"
    )

    /// The mistake of a word without a separator.
    static func notAnItem(_ argument: String) -> UsageMistake {
        if argument.begins(with: "{") || argument.begins(with: "[") { return jsonText }
        return UsageMistake(
            "the item \(quotedURL(argument)) has no separator",
            hint: hint(withoutSeparator: argument)
                ?? "text and URLs with spaces need quotes; name=text and name:=json are data, @FILE is a body, "
                + "name==text is a query item, Name:text is a header"
        )
    }

    /// The probable meaning of a word without a separator; `nil` if it is unknown.
    static func hint(withoutSeparator argument: String) -> String? {
        if argument == "-" { return "@- sends standard input as the body" }
        if argument.begins(with: "-") { return "write options before --" }
        if let quotes = UsageMistake.curlyQuoteHint(for: argument) { return quotes }
        if argument.begins(with: "HTTP/") { return "omit this item; --http-version chooses the version" }
        if argument.begins(with: "/") { return "write the path in the URL, without a space" }
        if argument.begins(with: "?") { return "write the query in the URL, without a space" }
        if MethodName.isWord(argument), argument == argument.uppercased() || MethodName.isKnown(argument) {
            return "write the method before the URL: cumulus \(argument) URL"
        }
        return Subcommand.words.contains(argument) ? "write the command first: cumulus \(argument) --help" : nil
    }
}
