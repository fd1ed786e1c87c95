// SPDX-License-Identifier: Apache-2.0

/// Parses `WWW-Authenticate` by its bytes (RFC 9110 section 11.6.1), in one pass for any input.
///
/// Commas separate both challenges and their parameters. Only the text after a word shows which of them it is.
struct ChallengeParser {
    static let mostChallenges = 32
    static let mostParameters = 64

    private var done: [AuthenticationChallenge] = []
    /// The challenge whose parameters are being read; `nil` before the first scheme, and after an error.
    private var current: AuthenticationChallenge?
    private var rest: ArraySlice<UInt8> = []

    /// Reads one line of the field; parameters may continue in the next, as if joined by a comma.
    mutating func read(_ line: FieldText) {
        rest = line.bytes[...]
        while !rest.isEmpty {
            skipBlanks()
            if skip(Self.comma) { continue }
            if !rest.isEmpty, !readElement() { discard() }
        }
    }

    /// The challenges so far.
    mutating func finish() -> [AuthenticationChallenge] {
        close()
        return done
    }

    /// Reads a parameter, or a scheme and the text after it; returns false for anything else.
    private mutating func readElement() -> Bool {
        let word = token()
        guard !word.isEmpty else { return false }
        let isApart = skipBlanks()
        if skip(Self.equals) { return current != nil && readParameter(named: word) }
        close()
        current = AuthenticationChallenge(scheme: word)
        if rest.isEmpty || rest.first == Self.comma { return true }
        guard isApart else { return false }
        if let token = token68() {
            current?.set(token: token)
            return true
        }
        let name = token()
        skipBlanks()
        return !name.isEmpty && skip(Self.equals) && readParameter(named: name)
    }

    private mutating func readParameter(named name: String) -> Bool {
        skipBlanks()
        let value: [UInt8]
        if skip(Self.quote) {
            guard let quoted = quotedString() else { return false }
            value = quoted
        } else {
            // Some servers don't quote values, so characters that a token can't contain are accepted if they are
            // unambiguous.
            let end = rest.firstIndex { $0 == Self.comma || $0 == Self.quote || Self.isBlank($0) } ?? rest.endIndex
            value = Array(rest[..<end])
            rest = rest[end...]
            guard !value.isEmpty else { return false }
        }
        skipBlanks()
        guard rest.isEmpty || rest.first == Self.comma, current?.token == nil else { return false }
        guard let parameters = current?.parameters, parameters.count < Self.mostParameters else { return false }
        current?.set(AuthenticationChallenge.Parameter(name: name.lowercased(), text: FieldText(value)))
        return true
    }

    /// Reads the text up to the closing quote; `nil` if it is missing.
    private mutating func quotedString() -> [UInt8]? {
        var bytes: [UInt8] = []
        var isEscaped = false
        while let byte = rest.popFirst() {
            if !isEscaped, byte == Self.quote { return bytes }
            isEscaped = !isEscaped && byte == Self.backslash
            if !isEscaped { bytes.append(byte) }
        }
        return nil
    }

    private mutating func token() -> String {
        let end = rest.firstIndex { !Self.isTokenByte($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// Reads the token that fills the element; `nil`, with nothing consumed, for anything else.
    private mutating func token68() -> String? {
        let letters = rest.firstIndex { !Self.isToken68Byte($0) } ?? rest.endIndex
        let end = rest[letters...].firstIndex { $0 != Self.equals } ?? rest.endIndex
        let behind = rest[end...].firstIndex { !Self.isBlank($0) } ?? rest.endIndex
        guard letters > rest.startIndex, behind == rest.endIndex || rest[behind] == Self.comma else { return nil }
        defer { rest = rest[behind...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    private mutating func close() {
        if let current, done.count < Self.mostChallenges { done.append(current) }
        current = nil
    }

    /// Drops the invalid challenge, and everything up to the next comma outside quotes.
    private mutating func discard() {
        current = nil
        while let byte = rest.first, byte != Self.comma {
            rest.removeFirst()
            if byte == Self.quote { _ = quotedString() }
        }
    }

    @discardableResult private mutating func skipBlanks() -> Bool {
        let end = rest.firstIndex { !Self.isBlank($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return end > rest.startIndex
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~+/".utf8.contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
