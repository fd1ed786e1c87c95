// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding as defined by RFC 3986 section 2.
///
/// Paths, queries and forms are escaped automatically; use this for strings that you assemble yourself.
public enum PercentEncoding {
    /// Escapes everything except letters, digits and `-._~`.
    ///
    /// The string becomes one segment, or one name or value of a query.
    public static func encode(_ text: some StringProtocol) -> String { encode(text, allowed: isUnreserved) }

    /// Decodes an escaped string.
    ///
    /// An invalid escape is left unchanged, and invalid UTF-8 is replaced. `+` is not decoded as a space; for forms,
    /// use ``Query/init(parsing:)``.
    public static func decode(_ text: some StringProtocol) -> String {
        String(decoding: decodedBytes(text), as: UTF8.self)
    }

    /// Returns whether a byte is a letter, a digit, or one of `-._~`, which never need an escape.
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Whether a path segment may contain the byte (`pchar`).
    static func isPathByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || isSubDelimiter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
    }

    /// Whether a query may contain the byte.
    static func isQueryByte(_ byte: UInt8) -> Bool {
        isPathByte(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
    }

    /// Whether a URI may contain the byte unescaped: unreserved and reserved characters.
    static func isURIByte(_ byte: UInt8) -> Bool {
        isQueryByte(byte) || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }

    /// Escapes every byte that is not allowed; `%` is data and is escaped too.
    static func encode(_ text: some StringProtocol, allowed: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(allowed) { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 { append(byte, to: &bytes, allowed: allowed) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Escapes bytes that are not allowed, but keeps existing escapes.
    static func complete(_ text: some StringProtocol, allowed: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(allowed) { return String(text) }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count + 16)
        for (index, byte) in source.enumerated() {
            if byte == UInt8(ascii: "%"), escaped(source, at: index) != nil {
                bytes.append(byte)
            } else {
                append(byte, to: &bytes, allowed: allowed)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a string to bytes, which need not be UTF-8; an invalid escape is left unchanged.
    public static func decodedBytes(_ text: some StringProtocol) -> [UInt8] { decodedBytes(of: Array(text.utf8)) }

    /// Decodes a text's bytes.
    static func decodedBytes(of source: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), let byte = escaped(source, at: index) {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return bytes
    }

    /// Appends a byte, which is escaped unless it is allowed.
    public static func append(_ byte: UInt8, to bytes: inout [UInt8], allowed: (UInt8) -> Bool) {
        if allowed(byte) {
            bytes.append(byte)
        } else {
            bytes.append(UInt8(ascii: "%"))
            bytes.append(hexadecimal(byte >> 4))
            bytes.append(hexadecimal(byte & 15))
        }
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    /// The byte of an escape at an index; `nil` if there is none.
    static func escaped(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, let high = value(bytes[index + 1]), let low = value(bytes[index + 2]) else {
            return nil
        }
        return high << 4 | low
    }

    /// How many escapes at the beginning make one character of UTF-8; 1 for one that isn't UTF-8, `nil` for no escape.
    static func escapedLength(_ bytes: some Sequence<UInt8>) -> Int? {
        let start = Array(bytes.prefix(12))
        var found: [UInt8] = []
        while found.count < 4, start.count > 3 * found.count, start[3 * found.count] == UInt8(ascii: "%"),
            let byte = escaped(start, at: 3 * found.count)
        {
            found.append(byte)
        }
        guard let first = found.first else { return nil }
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        return String(validating: found.prefix(length), as: UTF8.self)?.unicodeScalars.count == 1 ? length : 1
    }

    /// The value of a hexadecimal digit.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
