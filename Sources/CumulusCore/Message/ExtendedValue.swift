// SPDX-License-Identifier: Apache-2.0

/// A parameter's value with its charset, `UTF-8'en'na%C3%AFve` (RFC 8187).
enum ExtendedValue {
    /// The text; `nil` if the value is malformed, or not in one of the two charsets that RFC 8187 knows.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isStrict: Whether a percent sign without two digits makes it malformed; otherwise it stays unchanged.
    /// - Returns: The text.
    static func text(_ value: some Collection<UInt8>, isStrict: Bool) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let escaped = Array(parts[2])
        let bytes = PercentEncoding.decodedBytes(of: escaped)
        // Each escape has three bytes for one.
        let escapes = escaped.reduce(0) { $1 == UInt8(ascii: "%") ? $0 + 1 : $0 }
        if isStrict, escaped.count - bytes.count != 2 * escapes { return nil }
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
