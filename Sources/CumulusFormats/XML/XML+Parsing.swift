// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

// Reading XML.

extension XML {
    /// The default limit for the depth of nested elements.
    public static let defaultMaximumDepth = 256

    /// The default limit for the number of elements, attributes and text nodes.
    public static let defaultMaximumNodes = 1_000_000

    /// Creates an element from a document.
    ///
    /// The parser follows XML 1.0 strictly, without validation. It supports only XML's five entities and character
    /// references. A document type is skipped, but a document type that declares entities is refused, so nothing is
    /// expanded or fetched.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8, in UTF-16 with a byte order mark, or in the charset that it declares.
    ///   - charset: The charset declared outside the document, which overrides its own (RFC 7303 section 3).
    ///   - maximumDepth: The limit for the depth of nested elements; more than 256 counts as 256.
    ///   - maximumNodes: The limit for the number of elements, attributes and text nodes.
    /// - Throws: The reason and the position at which the bytes were refused.
    public init(
        parsing bytes: UnsafeRawBufferPointer,
        charset: String? = nil,
        maximumDepth: Int = defaultMaximumDepth,
        maximumNodes: Int = defaultMaximumNodes
    ) throws(ParsingError) {
        let depth = min(maximumDepth, XML.defaultMaximumDepth)
        guard let text = try XML.transcoded(bytes, charset: charset) else {
            var parser = XMLParser(bytes, maximumDepth: depth, maximumNodes: maximumNodes)
            self = try parser.document()
            return
        }
        // It is UTF-8 now, whatever the document declares.
        self = try text.withUnsafeBytes { XML.parsed($0, "utf-8", depth, maximumNodes) }.get()
    }

    /// Creates an element from a document in a string, regardless of the charset that it declares.
    ///
    /// - Throws: The reason and the position at which the text was refused.
    public init(parsing text: some StringProtocol) throws(ParsingError) {
        self = try Array(text.utf8).withUnsafeBytes { XML.parsed($0, "utf-8") }.get()
    }

    /// Creates an element from a document in bytes: an array, `Data`, ...
    ///
    /// - Throws: The reason and the position at which the bytes were refused.
    public init(parsing bytes: some Collection<UInt8>, charset: String? = nil) throws(ParsingError) {
        self = try Array(bytes).withUnsafeBytes { XML.parsed($0, charset) }.get()
    }

    /// Decodes the text of a document from its charset; the document need not be well formed.
    ///
    /// - Throws: ``ParsingError`` for bytes that are invalid in their charset.
    public static func source(of bytes: some Collection<UInt8>, charset: String? = nil) throws(ParsingError) -> String {
        let result: Result<String, ParsingError> = Array(bytes).withUnsafeBytes { bytes in
            do throws(ParsingError) {
                if let text = try transcoded(bytes, charset: charset) {
                    return .success(String(decoding: text, as: UTF8.self))
                }
                guard let text = text(bytes, in: "utf-8") else { throw ParsingError(.invalidUTF8, at: 0, in: bytes) }
                return .success(text)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The bytes of a document in UTF-8, if it is well formed; checked without a tree, so that its size doesn't matter.
    ///
    /// - Throws: The reason and the position at which the bytes were refused.
    package static func checked(
        _ bytes: [UInt8],
        charset: String?,
        maximumDepth: Int
    ) throws(ParsingError) -> [UInt8] {
        func check(_ bytes: UnsafeRawBufferPointer) -> Result<[UInt8]?, ParsingError> {
            do throws(ParsingError) {
                let text = try transcoded(bytes, charset: charset)
                if let text { return text.withUnsafeBytes { checked($0, maximumDepth) }.map { text } }
                return checked(bytes, maximumDepth).map { nil }
            } catch {
                return .failure(error)
            }
        }
        return try bytes.withUnsafeBytes(check).get() ?? bytes
    }

    private static func checked(_ bytes: UnsafeRawBufferPointer, _ depth: Int) -> Result<Void, ParsingError> {
        do throws(ParsingError) {
            var parser = XMLParser(bytes, maximumDepth: depth, maximumNodes: .max, keepsNodes: false)
            _ = try parser.document()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    // Closures can't rethrow a typed error, so this returns a result.
    private static func parsed(
        _ bytes: UnsafeRawBufferPointer,
        _ charset: String?,
        _ depth: Int = defaultMaximumDepth,
        _ nodes: Int = defaultMaximumNodes
    ) -> Result<XML, ParsingError> {
        do throws(ParsingError) {
            return .success(try XML(parsing: bytes, charset: charset, maximumDepth: depth, maximumNodes: nodes))
        } catch {
            return .failure(error)
        }
    }

    /// The document in UTF-8; `nil` if it is in UTF-8 already.
    private static func transcoded(
        _ bytes: UnsafeRawBufferPointer,
        charset named: String?
    ) throws(ParsingError) -> [UInt8]? {
        guard let charset = try charset(of: bytes, named: named), !ofUTF8.contains(charset) else { return nil }
        // The converted text grows by a constant factor at most: nothing is expanded here.
        guard let text = text(bytes, in: charset) else { throw ParsingError(.invalidCharset, at: 0, in: bytes) }
        return Array(text.utf8)
    }

    /// The names of UTF-8, and of US-ASCII, which is a part of it.
    private static let ofUTF8: Set = [
        "utf-8", "utf8", "unicode-1-1-utf-8", "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us",
    ]

    /// A text in a charset; `nil` for an unknown one, and for bytes that are invalid in it.
    private static func text(_ bytes: UnsafeRawBufferPointer, in charset: String) -> String? {
        try? TextCoder(charset: charset).text(ByteChunk(Array(bytes)), of: nil)
    }

    /// The charset from the byte order mark, the outside declaration, the first bytes, or the document's declaration.
    private static func charset(of bytes: UnsafeRawBufferPointer, named: String?) throws(ParsingError) -> String? {
        if let marked = markedCharset(bytes) { return marked }
        if named == nil, bytes.starts(with: [0x3C, 0]) { return "utf-16le" }
        if named == nil, bytes.starts(with: [0, 0x3C]) { return "utf-16be" }
        guard let name = (named ?? declaredCharset(bytes))?.lowercased() else { return nil }
        // If the declaration can be read byte by byte, it is not in UTF-16 (XML 1.0 section 4.3.3).
        if named == nil, name.begins(with: "utf-16") || name == "utf16" {
            throw ParsingError(.invalidCharset, at: 0, in: bytes)
        }
        return name
    }

    /// The charset of a byte order mark.
    private static func markedCharset(_ bytes: UnsafeRawBufferPointer) -> String? {
        // The mark of UTF-32 begins with that of UTF-16; no text begins with the NUL that would follow.
        let marks: KeyValuePairs<String, [UInt8]> = [
            "utf-8": [0xEF, 0xBB, 0xBF], "utf-32le": [0xFF, 0xFE, 0, 0], "utf-32be": [0, 0, 0xFE, 0xFF],
            "utf-16le": [0xFF, 0xFE], "utf-16be": [0xFE, 0xFF],
        ]
        return marks.first { bytes.starts(with: $0.value) }?.key
    }

    private static func declaredCharset(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.starts(with: Array("<?xml".utf8)) else { return nil }
        let declaration = bytes.prefix(256).prefix { $0 != UInt8(ascii: ">") }
        let word = Array("encoding".utf8)
        guard let start = declaration.indices.first(where: { declaration[$0...].starts(with: word) }) else {
            return nil
        }
        let value = declaration[start...].dropFirst(word.count).drop {
            XMLParser.isSpace($0) || $0 == UInt8(ascii: "=")
        }
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
    }
}
