// SPDX-License-Identifier: Apache-2.0

extension TOMLReader {
    /// A string in one of the four kinds of quotes; a key must be on one line.
    mutating func string(keyOnly: Bool = false) throws(TOMLProblem) -> String {
        let mark: Unicode.Scalar = scalars.first == "'" ? "'" : "\""
        if !keyOnly, take(String(repeating: String(mark), count: 3)) { return try longString(mark) }
        _ = next()
        var result = String.UnicodeScalarView()
        while let scalar = scalars.first, scalar != "\n", scalar != "\r" {
            _ = next()
            if scalar == mark { return String(result) }
            if scalar == "\\", mark == "\"" {
                result.append(try escaped())
            } else {
                result.append(try allowed(scalar))
            }
        }
        throw problem("a string has no closing quote")
    }

    /// A multi-line string, after its opening quotes.
    private mutating func longString(_ mark: Unicode.Scalar) throws(TOMLProblem) -> String {
        if !take("\n") { _ = take("\r\n") }
        var result = String.UnicodeScalarView()
        while let scalar = next() {
            if scalar == mark {
                let more = scalars.prefix { $0 == mark }.count
                guard more >= 2 else {
                    result.append(scalar)
                    continue
                }
                // Up to two more quotes are part of the text.
                guard more <= 4 else { throw problem("there are too many quotes") }
                for _ in 2..<more { result.append(mark) }
                for _ in 0..<more { _ = next() }
                return String(result)
            }
            if scalar == "\\", mark == "\"" {
                if !skipLineEnd() { result.append(try escaped()) }
            } else if scalar == "\r", scalars.first == "\n" {
                continue
            } else {
                result.append(scalar == "\n" ? scalar : try allowed(scalar))
            }
        }
        throw problem("a string has no closing quote")
    }

    /// Skips a line's end and all white space after it, if only white space comes before it.
    private mutating func skipLineEnd() -> Bool {
        let rest = scalars.drop { $0 == " " || $0 == "\t" }
        guard rest.starts(with: ["\n"]) || rest.starts(with: ["\r", "\n"]) else { return false }
        while let scalar = scalars.first, [" ", "\t", "\n", "\r"].contains(scalar) { _ = next() }
        return true
    }

    private func allowed(_ scalar: Unicode.Scalar) throws(TOMLProblem) -> Unicode.Scalar {
        guard scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F else {
            throw problem("a string contains a control character; write it as \\u\(hexadecimal(scalar))")
        }
        return scalar
    }

    private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// The character of an escape, after its backslash.
    private mutating func escaped() throws(TOMLProblem) -> Unicode.Scalar {
        switch next() {
        case "b": return "\u{08}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{0C}"
        case "r": return "\r"
        case "\"": return "\""
        case "\\": return "\\"
        case "u": return try scalar(digits: 4)
        case "U": return try scalar(digits: 8)
        default: throw problem("a backslash begins an unknown escape; in '...', backslashes are literal")
        }
    }

    private mutating func scalar(digits count: Int) throws(TOMLProblem) -> Unicode.Scalar {
        let digits = scalars.prefix(count)
        let isHexadecimal = digits.allSatisfy { $0.properties.isASCIIHexDigit }
        guard digits.count == count, isHexadecimal,
            let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16), let scalar = Unicode.Scalar(value)
        else { throw problem("\\\(count == 4 ? "u" : "U") needs \(count) hexadecimal digits of a Unicode character") }
        scalars = scalars[digits.endIndex...]
        return scalar
    }
}
