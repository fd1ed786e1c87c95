// SPDX-License-Identifier: Apache-2.0

/// Texts and numbers in YAML, so that versions 1.1 and 1.2 read them alike.
enum YAMLScalar {
    /// A text as it is if nothing could take it for something else, otherwise in double quotes.
    static func text(of text: String) -> String { isPlain(text) ? text : quoted(text) }

    /// A number of JSON: version 1.1 takes a power of ten for text if it has no fraction, or no sign.
    static func number(_ text: String) -> String {
        let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        guard parts.count == 2, let first = parts[1].first else { return text }
        let fraction = parts[0].contains(UInt8(ascii: ".")) ? "" : ".0"
        let sign = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? "" : "+"
        return "\(parts[0].text)\(fraction)e\(sign)\(parts[1].text)"
    }

    /// Whether a text can be written without quotes: letters, digits and a few marks, not a number, date, boolean or
    /// null.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last, isLetter(first), last != 0x20 else { return false }
        guard bytes.allSatisfy({ isLetter($0) || 0x30...0x39 ~= $0 || " _-./".utf8.contains($0) }) else { return false }
        return !reserved.contains(text.lowercased())
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }

    /// Words that some version of YAML reads as something else.
    private static let reserved: Set<String> = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf",
    ]

    private static func quoted(_ text: String) -> String {
        var result = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result.append("\\")
                result.append(scalar)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            case _ where isEscaped(scalar.value): result.append(contentsOf: escape(scalar.value).unicodeScalars)
            default: result.append(scalar)
            }
        }
        result.append("\"")
        return String(result)
    }

    /// Whether a character is a line end in one of the versions, or not printable there (YAML 1.2.2 section 5.1).
    private static func isEscaped(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    private static func escape(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
