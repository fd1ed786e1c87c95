// SPDX-License-Identifier: Apache-2.0

/// The parameters of a `Content-Disposition` field (RFC 6266).
///
/// It is parsed by bytes, so that no combining mark or joiner after a quote or a semicolon hides one.
enum DispositionParameters {
    /// The parameters, with lowercase names, and values without quotes and escapes.
    static func parsed(_ value: [UInt8]) -> [(name: String, value: [UInt8])] {
        var rest = value[...]
        var found: [(String, [UInt8])] = []
        // Careless servers leave out the type: `filename="a.txt"`.
        if !rest.prefix(while: { $0 != semicolon }).contains(UInt8(ascii: "=")) { rest = rest.drop { $0 != semicolon } }
        while !rest.isEmpty {
            if rest.first == semicolon { rest = rest.dropFirst() }
            rest = rest.drop(while: isBlank)
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

    private static func token(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let token = rest.prefix { $0 != semicolon }
        rest = rest[token.endIndex...]
        return token.reversed().drop(while: isBlank).reversed()
    }

    /// Reads a quoted string without its quotes; a backslash escapes what follows it.
    ///
    /// In a path of Windows, `C:\dir\file.txt` from careless servers, it escapes only a quote or itself.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        rest = rest.dropFirst()
        let start = Array(rest.prefix(3))
        let isPath = start.count == 3 && start[1] == UInt8(ascii: ":") && start[2] == backslash
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { break }
            if byte == backslash, let next = rest.first, !isPath || next == quote || next == backslash {
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
