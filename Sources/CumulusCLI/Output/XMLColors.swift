// SPDX-License-Identifier: Apache-2.0

/// Colours a piece of XML: names of elements blue, those of attributes cyan, values green, what is no content faint.
enum XMLColors {
    static func paint(_ token: XMLText.Token) -> String {
        switch token.kind {
        case .text: String(token.text)
        case .other: TerminalColor.faint.paint(token.text)
        case .start, .empty, .end: tag(token.text)
        }
    }

    private static func tag(_ text: Substring) -> String {
        let isEnd: (Character) -> Bool = { $0.isWhitespace || $0 == ">" || $0 == "/" }
        let open = text.hasPrefix("</") ? text.prefix(2) : text.prefix(1)
        let name = text[open.endIndex...].prefix { !isEnd($0) }
        var painted = TerminalColor.blue.paint(open + name)
        var rest = text[name.endIndex...]
        while let first = rest.first {
            if first == "\"" || first == "'" {
                let value = rest.dropFirst().prefix { $0 != first }
                let whole = rest[
                    rest
                        .startIndex..<(value.endIndex < rest.endIndex
                        ? rest.index(after: value.endIndex) : rest.endIndex)
                ]
                painted += TerminalColor.green.paint(whole)
                rest = rest[whole.endIndex...]
            } else if first == ">" || first == "/" {
                painted += TerminalColor.blue.paint(rest)
                return painted
            } else if first.isWhitespace || first == "=" {
                painted.append(first)
                rest = rest.dropFirst()
            } else {
                let attribute = rest.prefix { $0 != "=" && !isEnd($0) }
                painted += TerminalColor.cyan.paint(attribute)
                rest = rest[attribute.endIndex...]
            }
        }
        return painted
    }
}
