// SPDX-License-Identifier: Apache-2.0

/// Text: `String`, read by the charset parameter, else a byte order mark, else UTF-8, else Latin-1; written in UTF-8.
///
/// Known are UTF-8, UTF-16, UTF-32, US-ASCII and Latin-1, and by the C library's `iconv` gb2312, gbk, gb18030, big5,
/// shift_jis, euc-jp, iso-2022-jp, euc-kr, koi8-r, koi8-u, ibm866, macintosh, windows-874, windows-1250 to -1258 and
/// iso-8859-2 to -16. Another charset is an error, never a guess.
public struct TextCoder: BodyCoder {
    /// What text without a charset is.
    public enum UnnamedCharset: Sendable, Hashable {
        /// UTF-8 if it is that, else Latin-1.
        case detected
        /// Latin-1 if the type is `text/...`, as RFC 2616 section 3.7.1 had it; anything else as ``detected``.
        case rfc2616
    }

    /// The charset that holds whatever a response says; `nil` believes the response.
    ///
    /// Text is sent in it where the request's type names none.
    public var charset: String?
    /// What text is read as if no charset is named and no byte order mark tells.
    public var unnamed: UnnamedCharset

    /// Makes a coder.
    public init(charset: String? = nil, unnamed: UnnamedCharset = .detected) {
        self.charset = charset
        self.unnamed = unnamed
    }

    /// `text/plain` with its charset.
    public var mediaType: MediaType {
        guard let charset else { return .text }
        return MediaType("text", "plain", parameters: [MediaType.Parameter(name: "charset", value: charset)])
    }

    /// Texts only.
    public func serves(_ type: any Any.Type) -> Bool { type == String.self }

    /// Writes the text in the charset that the type names.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let text = value as? String else { throw CodingProblem("\(type(of: value)) is not text") }
        return try encode(text, as: mediaType)
    }

    /// Reads the text.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard let text = try text(bytes, of: mediaType) as? Value else { throw CodingProblem("\(type) is not text") }
        return text
    }

    func encode(_ text: String, as mediaType: MediaType?) throws -> ByteChunk {
        guard let name = mediaType?["charset"] ?? charset else { return ByteChunk(text) }
        let charset = try TextCoder.charset(name)
        return charset == .utf8 ? ByteChunk(text) : ByteChunk(try charset.encode(text))
    }

    /// The text of a body.
    ///
    /// - Throws: ``CodingProblem`` for bytes that the charset doesn't have, or a charset that is not known.
    func text(_ bytes: ByteChunk, of mediaType: MediaType?) throws -> String {
        try bytes.withUnsafeBytes { bytes in
            if let name = charset ?? mediaType?["charset"] { return try TextCoder.charset(name).decode(bytes) }
            if let marked = TextCoder.markedCharset(bytes) { return try marked.decode(bytes) }
            if unnamed == .rfc2616, mediaType?.type == "text" { return Charset.latin1Text(bytes) }
            return Charset.utf8Text(bytes) ?? Charset.latin1Text(bytes)
        }
    }

    /// The charset that a byte order mark names.
    static func markedCharset(_ bytes: UnsafeRawBufferPointer) -> Charset? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        // The mark of UTF-32 begins with that of UTF-16; no text begins with the zero that would follow.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return .utf32(bigEndian: false) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return .utf32(bigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return .utf16(bigEndian: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16(bigEndian: true) }
        return nil
    }

    private static func charset(_ name: String) throws -> Charset {
        guard let charset = Charset(named: name) else {
            throw CodingProblem("the charset \(RequestURL.quote(name)) is not known")
        }
        return charset
    }
}
