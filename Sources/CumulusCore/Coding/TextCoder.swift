// SPDX-License-Identifier: Apache-2.0

/// Text: `String`, written in UTF-8, read by the charset parameter, else a byte order mark, else UTF-8, else Latin-1.
public struct TextCoder: BodyCoder {
    /// Makes a coder.
    public init() {}

    /// `text/plain` in UTF-8.
    public var mediaType: MediaType { .text }

    /// Writes the text in UTF-8.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let text = value as? String else { throw CodingProblem("\(type(of: value)) is no text") }
        if let charset = mediaType?["charset"], !["utf-8", "utf8", "us-ascii"].contains(charset.lowercased()) {
            throw CodingProblem("text is written in UTF-8, not in \(charset)")
        }
        return ByteChunk(text)
    }

    /// Reads the text.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard let text = try TextCoder.text(bytes, of: mediaType) as? Value else {
            throw CodingProblem("\(type) is no text")
        }
        return text
    }

    /// The text of a body.
    ///
    /// - Throws: ``CodingProblem`` for bytes that the named charset doesn't have, or a charset that is not known.
    static func text(_ bytes: ByteChunk, of mediaType: MediaType?) throws -> String {
        try bytes.withUnsafeBytes { bytes in
            switch mediaType?["charset"]?.lowercased() {
            case "utf-8", "utf8":
                guard let text = utf8(bytes) else { throw CodingProblem("the text is not valid UTF-8") }
                return text
            case "iso-8859-1", "latin1", "iso8859-1": return latin1(bytes)
            case "us-ascii", "ascii":
                guard bytes.allSatisfy({ $0 < 0x80 }) else { throw CodingProblem("the text is not valid US-ASCII") }
                return String(decoding: bytes, as: UTF8.self)
            case "utf-16": return try utf16(bytes, bigEndian: !bytes.starts(with: [0xFF, 0xFE]))
            case "utf-16le": return try utf16(bytes, bigEndian: false)
            case "utf-16be": return try utf16(bytes, bigEndian: true)
            case nil: return try guess(bytes)
            case let charset?: throw CodingProblem("the charset \(RequestURL.quote(charset)) is not known")
            }
        }
    }

    private static func guess(_ bytes: UnsafeRawBufferPointer) throws -> String {
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, bigEndian: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, bigEndian: true) }
        return utf8(bytes) ?? latin1(bytes)
    }

    private static func utf8(_ bytes: UnsafeRawBufferPointer) -> String? {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: bytes[3...]) : bytes
        return String(validating: text, as: UTF8.self)
    }

    private static func latin1(_ bytes: UnsafeRawBufferPointer) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    private static func utf16(_ bytes: UnsafeRawBufferPointer, bigEndian: Bool) throws -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(bigEndian ? first << 8 | second : second << 8 | first)
        }
        if units.first == 0xFEFF { units.removeFirst() }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw CodingProblem("the text is not valid UTF-16")
        }
        return text
    }
}
