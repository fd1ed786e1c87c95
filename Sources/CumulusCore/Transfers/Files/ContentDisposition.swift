// SPDX-License-Identifier: Apache-2.0

/// The name that a `Content-Disposition` field proposes (RFC 6266, RFC 8187).
enum ContentDisposition {
    /// `filename*` if it can be read, else `filename`; `nil` where there is neither.
    ///
    /// As it came: not safe yet.
    static func fileName(_ value: String) -> String? {
        let parameters = parameters(value)
        if let extended = parameters.first(where: { $0.name == "filename*" }), let name = decoded(extended.value) {
            return name
        }
        return parameters.first { $0.name == "filename" }?.value
    }

    /// `UTF-8'en'na%C3%AFve.txt`; `nil` where it is malformed, or in another charset than the two that RFC 8187 knows.
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = PercentEncoding.decodedBytes(parts[2])
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    private static func parameters(_ value: String) -> [(name: String, value: String)] {
        var rest = value[...]
        var found: [(String, String)] = []
        rest = rest.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let content = rest.first == "\"" ? quoted(&rest) : token(&rest)
            found.append((name.filter { $0 != " " && $0 != "\t" }.lowercased(), content))
            rest = rest.drop { $0 != ";" }
        }
        return found
    }

    private static func token(_ rest: inout Substring) -> String {
        let token = rest.prefix { $0 != ";" }
        rest = rest[token.endIndex...]
        return String(token.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// A quoted string without its quotes.
    ///
    /// A backslash escapes a quote or itself; before others it is one, as in
    /// `C:\file.txt` from careless servers.
    private static func quoted(_ rest: inout Substring) -> String {
        rest = rest.dropFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == "\"" { break }
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                text.append(next)
                rest = rest.dropFirst()
            } else {
                text.append(character)
            }
        }
        return text
    }
}
