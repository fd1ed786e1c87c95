// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Encodes and decodes `String`.
///
/// It decodes by the charset parameter, otherwise by a byte order mark, otherwise as UTF-8 or Latin-1.
///
/// It encodes as UTF-8 by default. Supported charsets are UTF-8, UTF-16, UTF-32, US-ASCII and Latin-1, and, with the C
/// library's `iconv`, also gb2312, gbk, gb18030, big5, shift_jis, euc-jp, iso-2022-jp, euc-kr, koi8-r, koi8-u, ibm866,
/// macintosh, windows-874, windows-1250 to -1258 and iso-8859-2 to -16. A response's charset that is unknown, or in
/// which its bytes are invalid, is ignored; a charset that you set must match.
public struct TextCoder: BodyCoder {
    /// How to decode text whose charset is not named.
    public enum UnnamedCharset: Sendable, Hashable {
        /// The text is UTF-8 if the bytes are valid UTF-8, otherwise Latin-1.
        case detected
        /// The text is Latin-1 if the type is `text/...`, following RFC 2616 section 3.7.1; otherwise as for
        /// ``detected``.
        case rfc2616
    }

    /// The charset to use regardless of the response; `nil` follows the response.
    ///
    /// Text is also encoded in this charset if the request's type names none.
    public var charset: String?
    /// How to decode text without a named charset or a byte order mark.
    public var unnamed: UnnamedCharset

    /// Creates a coder.
    public init(charset: String? = nil, unnamed: UnnamedCharset = .detected) {
        self.charset = charset
        self.unnamed = unnamed
    }

    /// `text/plain` with its charset.
    public var mediaType: MediaType {
        guard let charset else { return .text }
        return MediaType("text", "plain", parameters: [MediaType.Parameter(name: "charset", value: charset)])
    }

    /// Returns whether the type is `String`.
    public func serves(_ type: any Any.Type) -> Bool { type == String.self }

    /// Encodes the text in the charset that the type names.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let text = value as? String else {
            throw CodingProblem("\(type(of: value)) can't be sent as text; encode a String")
        }
        return try encode(text, as: mediaType)
    }

    /// Decodes the text.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard let text = try text(bytes, of: mediaType) as? Value else {
            throw CodingProblem("text can't be decoded as \(type), only as String")
        }
        return text
    }

    func encode(_ text: String, as mediaType: MediaType?) throws -> ByteChunk {
        guard let name = mediaType?["charset"] ?? charset else { return ByteChunk(text) }
        let charset = try TextCoder.charset(name)
        return charset == .utf8 ? ByteChunk(text) : ByteChunk(try charset.encode(text))
    }

    /// Returns the text of a body.
    ///
    /// - Throws: ``CodingProblem`` if ``charset`` is unknown, or the bytes are invalid in it.
    public func text(_ bytes: ByteChunk, of mediaType: MediaType?) throws -> String {
        try bytes.withUnsafeBytes { bytes in
            if let charset { return try TextCoder.charset(charset).decode(bytes) }
            if let named = Charset(of: mediaType), let text = try? named.decode(bytes) { return text }
            if let marked = TextCoder.markedCharset(bytes), let text = try? marked.decode(bytes) { return text }
            if unnamed == .rfc2616, mediaType?.type == "text" { return Charset.latin1Text(bytes) }
            return Charset.utf8Text(bytes) ?? Charset.latin1Text(bytes)
        }
    }

    /// The charset of a byte order mark.
    static func markedCharset(_ bytes: UnsafeRawBufferPointer) -> Charset? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        // The mark of UTF-32 begins with that of UTF-16; no text begins with the NUL that would follow.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return .utf32(bigEndian: false) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return .utf32(bigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return .utf16(bigEndian: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16(bigEndian: true) }
        return nil
    }

    private static func charset(_ name: String) throws -> Charset {
        guard let charset = Charset(named: name) else {
            throw CodingProblem("the charset \(PeerText.quoted(name)) is unknown")
        }
        return charset
    }
}
