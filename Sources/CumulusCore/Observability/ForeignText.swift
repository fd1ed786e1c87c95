// SPDX-License-Identifier: Apache-2.0

/// Redacts secrets in text that isn't in UTF-8 or a charset like it: in UTF-16, UTF-32, or one whose letters contain
/// bytes of ASCII's marks.
enum ForeignText {
    /// The text without its secrets, in its own charset; `nil` if it is to be read as UTF-8.
    ///
    /// Zeros decide, then the mark, the declared charset, and where the zeros are.
    static func redacted(_ bytes: [UInt8], of type: MediaType?, level: Int) -> [UInt8]? {
        let named = Charset(of: type)
        if case .converted = named, let shown = converted(bytes, named, of: type, level: level) { return shown }
        let marked = bytes.withUnsafeBytes { TextCoder.markedCharset($0) }
        guard marked.map(isWide) == true || bytes.contains(0) else { return nil }
        for candidate in [marked, named, pattern(of: bytes)] {
            guard let charset = candidate, isWide(charset) else { continue }
            let text = Array(self.text(bytes, charset).utf8)
            let shown = BodyRedaction.redacted(decoded: text, of: type, level: level)
            guard shown != text else { continue }
            // With a named order no mark is added: the text still begins with its own.
            return (try? order(charset, bytes).encode(String(decoding: shown, as: UTF8.self))) ?? shown
        }
        return nil
    }

    /// Text in a charset of the C library, whose letters may contain bytes of quotes and backslashes.
    private static func converted(_ bytes: [UInt8], _ charset: Charset?, of type: MediaType?, level: Int) -> [UInt8]? {
        guard let charset, let text = try? bytes.withUnsafeBytes({ try charset.decode($0) }) else { return nil }
        let utf8 = Array(text.utf8)
        let shown = BodyRedaction.redacted(decoded: utf8, of: type, level: level)
        if shown == utf8 { return nil }
        return (try? charset.encode(String(decoding: shown, as: UTF8.self))) ?? shown
    }

    private static func isWide(_ charset: Charset) -> Bool {
        switch charset {
        case .utf16, .utf32: true
        default: false
        }
    }

    /// The charset with its byte order.
    private static func order(_ charset: Charset, _ bytes: [UInt8]) -> Charset {
        switch charset {
        case .utf16(nil): .utf16(bigEndian: !bytes.starts(with: [0xFF, 0xFE]))
        case .utf32(nil): .utf32(bigEndian: !bytes.starts(with: [0xFF, 0xFE, 0, 0]))
        default: charset
        }
    }

    /// Where most of the zeros of ASCII characters would be.
    private static func pattern(of bytes: [UInt8]) -> Charset? {
        var zeros = [0, 0, 0, 0]
        for (index, byte) in bytes.enumerated() where byte == 0 { zeros[index & 3] += 1 }
        let (even, odd) = (zeros[0] + zeros[2], zeros[1] + zeros[3])
        let isFour = 4 * (even + odd) > 2 * bytes.count
        if isFour { return .utf32(bigEndian: zeros[0] > zeros[3]) }
        return even == odd ? nil : .utf16(bigEndian: even > odd)
    }

    /// The text, with a replacement for each invalid unit; an incomplete last one is left out.
    private static func text(_ bytes: [UInt8], _ charset: Charset) -> String {
        switch order(charset, bytes) {
        case .utf16(let bigEndian):
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return bigEndian == true ? first << 8 | second : second << 8 | first
            }
            return String(decoding: units, as: UTF16.self)
        case .utf32(let bigEndian):
            var text = String.UnicodeScalarView()
            for index in stride(from: 0, to: bytes.count - 3, by: 4) {
                let unit = bytes[index..<index + 4].reduce((big: UInt32(0), little: UInt32(0))) {
                    ($0.big << 8 | UInt32($1), $0.little >> 8 | UInt32($1) << 24)
                }
                text.append(Unicode.Scalar(bigEndian == true ? unit.big : unit.little) ?? "\u{FFFD}")
            }
            return String(text)
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }
}
