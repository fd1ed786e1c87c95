// SPDX-License-Identifier: Apache-2.0

/// Colours JSON text; what is between the tokens stays as it is.
struct JSONColors {
    private var output = ""

    /// The text with names, strings, numbers and words in colours.
    static func paint(_ text: String) -> String {
        var colors = JSONColors()
        colors.output.reserveCapacity(text.utf8.count * 2)
        colors.paintTokens(of: text[...].utf8)
        return colors.output
    }

    private mutating func paintTokens(of text: Substring.UTF8View) {
        var rest = text
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\""):
                let token = JSONColors.string(rest)
                rest = rest[token.endIndex...]
                append(token, in: JSONColors.isName(before: rest) ? .blue : .green)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let token = rest.prefix { JSONColors.isNumberByte($0) }
                rest = rest[token.endIndex...]
                append(token, in: .cyan)
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                let token = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
                rest = rest[token.endIndex...]
                append(token, in: .magenta)
            default:
                let token = rest.prefix { JSONColors.isBetween($0) }
                let plain = token.isEmpty ? rest.prefix(1) : token
                output += String(decoding: plain, as: UTF8.self)
                rest = rest[plain.endIndex...]
            }
        }
    }

    private mutating func append(_ token: Substring.UTF8View, in color: TerminalColor) {
        output += color.paint(String(decoding: token, as: UTF8.self))
    }

    /// From a quote to the quote that ends the string, or to the end of the text.
    private static func string(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var isEscaped = false
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            let byte = text[index]
            index = text.index(after: index)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            }
        }
        return text[..<index]
    }

    /// Whether a colon follows: the string before it is a member's name.
    private static func isName(before rest: Substring.UTF8View) -> Bool {
        rest.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: ":")
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Whether a byte begins no token.
    private static func isBetween(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            false
        default: true
        }
    }
}
