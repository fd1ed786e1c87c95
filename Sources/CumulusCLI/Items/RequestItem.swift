// SPDX-License-Identifier: Apache-2.0

/// One ITEM of the command line, split at its separator, escapes resolved.
struct RequestItem: Equatable, Sendable {
    /// What an item is, named by its separator.
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

        /// Whether such an item is a part of the body.
        var isData: Bool {
            switch self {
            case .text, .textFromFile, .json, .jsonFromFile, .upload: true
            case .header, .emptyHeader, .headerFromFile, .query, .queryFromFile: false
            }
        }
    }

    let kind: Kind
    let name: String
    let value: String
}

extension RequestItem {
    /// Splits an item at its first separator, the longest that begins there; `\` takes a separator's meaning away.
    ///
    /// - Throws: ``UsageMistake``, which never quotes a value.
    init(parsing argument: String) throws(UsageMistake) {
        guard let item = RequestItem.split(argument) else { throw RequestItem.notAnItem(argument) }
        if item.kind == .emptyHeader, !item.value.isEmpty {
            throw UsageMistake(
                "the item \(quoted(item.name + ";")) has text after its semicolon",
                hint: "\(item.name):value sets a header, \(item.name); sends it empty"
            )
        }
        if item.name.isEmpty, !item.kind.isData {
            throw UsageMistake("an item begins with \(quoted(item.kind.rawValue)) and so has no name")
        }
        if let first = item.name.first, first == "\u{201C}" || first == "\u{2018}" {
            throw UsageMistake(
                "the item \(quoted(item.name)) begins with a typographic quote",
                hint: UsageMistake.curlyQuoteHint(for: item.name)
            )
        }
        self = item
    }

    /// Whether an argument has a separator at all.
    static func isItem(_ argument: String) -> Bool { split(argument) != nil }

    private static let separatorCharacters: Set<Character> = [":", ";", "=", "@"]
    /// The longest first, so that the first that fits is the right one.
    private static let kinds = Kind.allCases.sorted { $0.rawValue.count > $1.rawValue.count }

    private static func split(_ argument: String) -> RequestItem? {
        var name = ""
        var rest = argument[...]
        while let character = rest.first {
            if character == "\\" {
                rest = rest.dropFirst()
                guard let escaped = rest.first else { break }
                name += separatorCharacters.contains(escaped) ? "\(escaped)" : "\\\(escaped)"
                rest = rest.dropFirst()
            } else if let kind = kinds.first(where: { rest.hasPrefix($0.rawValue) }) {
                let value = rest.dropFirst(kind.rawValue.count)
                return RequestItem(kind: kind, name: name, value: unescaped(value))
            } else {
                name.append(character)
                rest = rest.dropFirst()
            }
        }
        return nil
    }

    /// A value: only escaped separators lose their backslash.
    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("\\") else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result += separatorCharacters.contains(character) ? "\(character)" : "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return isEscaped ? result + "\\" : result
    }

    private static func notAnItem(_ argument: String) -> UsageMistake {
        let isWord = !argument.isEmpty && argument.allSatisfy { $0.isASCII && $0.isLetter }
        let hint: String
        if let quotes = UsageMistake.curlyQuoteHint(for: argument) {
            hint = quotes
        } else if isWord, argument == argument.uppercased() || MethodName.isKnown(argument) {
            hint = "the method comes before the URL: cumulus \(argument) URL"
        } else {
            hint = "name=text and name:=json are data, name==text is a query item, Name:text a header"
        }
        return UsageMistake("the item \(quoted(argument)) has no separator", hint: hint)
    }
}
