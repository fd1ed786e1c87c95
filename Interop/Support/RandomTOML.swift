// SPDX-License-Identifier: Apache-2.0

/// Random TOML documents, most of them short and some of them wrong; the same for the same seed.
struct RandomTOML: RandomNumberGenerator {
    private static let keys = [
        "a", "b", "c", "a.b", "a.c", "b . c", "a.b.c", "b.a.c.d", "\"c d\"", "'x'", "\"\"", "1", "-", "\u{E9}",
        "\"\u{E9}\"", "\"e\u{301}\"", "\"\\u00e9\"", "\"a\\n\"", "\"\"\"a\"\"\"", "", ".a", "a.", "\"a\nb\"",
    ]
    private static let scalars = [
        "1", "+1", "-0", "1_000", "1__0", "_1", "1_", "01", "0x1F", "0xdead_beef", "0x_1", "-0x1", "0o17", "0o8",
        "0b101", "0b12",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1.5", "1.", ".5", "1e5", "1E+5",
        "1_e5", "1e_5", "1.e5", "1._5", "1_.5", "6.626e-34", "1_0.0_1", "-0.0", "03.14", "inf", "+inf", "-inf", "nan",
        "-nan", "Inf", "true", "false", "True", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "1979-05-27", "07:32:00",
        "1979-05-27T00:32:00.999999-07:00", "\"\"", "\"a\\tb\"", "\"\\u00e9\\U0001F600\"", "\"\\ud800\"", "\"\\x41\"",
        "\"\\e\"", "\"a\u{7F}b\"", "\"a\tb\"", "\"not closed", "'C:\\x'", "'it''s'", "\"\"\"a\nb\"\"\"",
        "\"\"\"\na \\\n   b\"\"\"", "\"\"\"a \\  \n\n  b\"\"\"", "\"\"\"\"a\"\"\"\"\"", "\"\"\"a\"\"\"\"\"\"",
        "\"\"\"a\r\nb\"\"\"", "'''a\n'b''c'''", "''''a'''''", "'''a''''''", "\"\"\"a \\ b\"\"\"", "\u{E9}", "",
    ]
    private static let alphabet = Array("ab.=[]{},\"'#\\\n\r\t _-+01eE:xT\u{E9}\u{0}".unicodeScalars)

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A document.
    mutating func document() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...6, using: &self) { text += line() }
        guard Int.random(in: 0..<4, using: &self) == 0, !text.contains(":") else { return text }
        var scalars = Array(text.unicodeScalars)
        let place = Int.random(in: 0..<scalars.count, using: &self)
        let scalar = RandomTOML.alphabet.randomElement(using: &self) ?? "a"
        switch Int.random(in: 0..<3, using: &self) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(scalar, at: place)
        default: scalars[place] = scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private mutating func line() -> String {
        let end = one(of: ["\n", "\n", "\n", "\r\n", " # c\n", "#\r\n", "\n\n"])
        switch Int.random(in: 0..<10, using: &self) {
        case 0, 1: return "[\(key())]" + end
        case 2: return "[[\(key())]]" + end
        case 3: return one(of: ["# comment", "", "  ", "\t# \u{E9}", "#\u{1}"]) + end
        default: return "\(key()) = \(value(depth: 0))" + end
        }
    }

    /// A key that is right, nine times of ten.
    private mutating func key() -> String {
        let known = Int.random(in: 0..<10, using: &self) == 0 ? RandomTOML.keys.count : 8
        return RandomTOML.keys[Int.random(in: 0..<known, using: &self)]
    }

    private mutating func value(depth: Int) -> String {
        let values = (0..<Int.random(in: 0...3, using: &self)).map { _ in depth < 3 ? value(depth: depth + 1) : "1" }
        switch Int.random(in: 0..<10, using: &self) {
        case 0:
            let blank = one(of: ["", " ", "\n", " # c\n"])
            return "[\(blank)\(values.joined(separator: ",\(blank)"))\(one(of: ["", "", ","]))\(blank)]"
        case 1:
            let members = values.map { "\(key()) = \($0)" }.joined(separator: ", ")
            return "{ \(members)\(one(of: ["", "", "", "", ","])) }"
        case 2: return one(of: RandomTOML.scalars)
        default: return one(of: ["1", "\"a\"", "true", "1.5", "'b'"])
        }
    }

    private mutating func one(of texts: [String]) -> String { texts.randomElement(using: &self) ?? "" }
}
