// SPDX-License-Identifier: Apache-2.0

// JSON bodies in other charsets: RFC 8259 section 8.1 requires UTF-8, and older services send what they have.

extension JSON {
    /// Creates a JSON value from a body: as UTF-8, unless its first bytes or its media type indicate a different
    /// charset.
    ///
    /// A charset that the media type names is used only if the bytes are not valid UTF-8.
    public init(body bytes: ByteChunk, of mediaType: MediaType?) throws(ParsingError) {
        // Closures can't rethrow a typed error, so this one returns a result.
        self = try bytes.withUnsafeBytes { bytes -> Result<JSON, ParsingError> in
            do throws(ParsingError) {
                guard let text = JSON.transcoded(bytes, of: mediaType) else {
                    return .success(try JSON(parsing: bytes))
                }
                return .success(try JSON(parsing: text))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// A body's text in UTF-8, if it is in another charset; otherwise `nil`.
    package static func transcoded(_ bytes: UnsafeRawBufferPointer, of mediaType: MediaType?) -> [UInt8]? {
        if let wide = wideCharset(bytes) { return (try? wide.decode(bytes)).map { Array($0.utf8) } }
        guard let named = Charset(of: mediaType), named != .utf8, Charset.utf8Text(bytes) == nil else { return nil }
        return (try? named.decode(bytes)).map { Array($0.utf8) }
    }

    /// UTF-16 or UTF-32, by a byte order mark or by the zeros beside the first character, which JSON never begins with.
    private static func wideCharset(_ bytes: UnsafeRawBufferPointer) -> Charset? {
        guard bytes.count >= 2 else { return nil }
        if let marked = TextCoder.markedCharset(bytes) { return marked == .utf8 ? nil : marked }
        let isWide = bytes.count >= 4
        return switch (bytes[0], bytes[1]) {
        case (0, 0) where isWide: .utf32(bigEndian: true)
        case (0, _): .utf16(bigEndian: true)
        case (_, 0) where isWide && bytes[2] == 0 && bytes[3] == 0: .utf32(bigEndian: false)
        case (_, 0): .utf16(bigEndian: false)
        default: nil
        }
    }
}
