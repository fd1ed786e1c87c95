// SPDX-License-Identifier: Apache-2.0

/// The name that a `Content-Disposition` field proposes (RFC 6266, RFC 8187).
///
/// It is parsed by bytes, so that no combining mark or joiner after a quote or a semicolon hides it.
enum ContentDisposition {
    /// The name in `filename*` if it is valid, else in `filename`; `nil` if there is neither.
    ///
    /// The name is as received, so it isn't safe yet.
    static func fileName(_ value: String) -> String? {
        let parameters = parameters(value)
        if let extended = parameters.first(where: { $0.name == "filename*" }),
            let name = ExtendedValue.text(extended.value, isStrict: false)
        {
            return name
        }
        return parameters.first { $0.name == "filename" }.map { String(decoding: $0.value, as: UTF8.self) }
    }

    private static func parameters(_ value: String) -> [(name: String, value: [UInt8])] {
        var rest = value.utf8[...]
        var found: [(String, [UInt8])] = []
        rest = rest.drop { $0 != semicolon }
        while rest.first == semicolon {
            rest = rest.dropFirst().drop(while: isBlank)
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != semicolon }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: isBlank)
            let content = rest.first == quote ? quoted(&rest) : token(&rest)
            found.append((String(decoding: name.filter { !isBlank($0) }, as: UTF8.self).lowercased(), content))
            rest = rest.drop { $0 != semicolon }
        }
        return found
    }

    private static func token(_ rest: inout Substring.UTF8View) -> [UInt8] {
        let token = rest.prefix { $0 != semicolon }
        rest = rest[token.endIndex...]
        return token.reversed().drop(while: isBlank).reversed()
    }

    /// Reads a quoted string without its quotes.
    ///
    /// A backslash escapes a quote or itself; before other characters it is literal, as in `C:\file.txt` from careless
    /// servers.
    private static func quoted(_ rest: inout Substring.UTF8View) -> [UInt8] {
        rest = rest.dropFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { break }
            if byte == backslash, let next = rest.first, next == quote || next == backslash {
                text.append(next)
                rest = rest.dropFirst()
            } else {
                text.append(byte)
            }
        }
        return text
    }

    private static let semicolon = UInt8(ascii: ";")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
