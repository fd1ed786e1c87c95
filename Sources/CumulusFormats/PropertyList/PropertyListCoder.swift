// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes and decodes property lists, XML and binary, for your `Codable` types and for ``PropertyList``.
///
/// It also serves `application/xml` and `text/xml`, since "XML" often means a property list in Cocoa; other XML causes
/// an error that reports this.
public struct PropertyListCoder: BodyCoder {
    /// The formats of a property list.
    public enum Format: Sendable, Hashable {
        /// XML.
        case xml
        /// `bplist00`.
        case binary
    }

    /// The format of encoded lists; both formats are decoded.
    public var format: Format

    /// Creates a coder.
    public init(format: Format = .xml) { self.format = format }

    /// `application/x-plist`.
    public var mediaType: MediaType { .propertyList }

    /// All media types of property lists.
    public var accept: String { "application/x-plist, application/xml, text/xml" }

    /// Encodes a dictionary or a list; XML is written in UTF-8.
    ///
    /// - Throws: `EncodingError`, and `CodingProblem` for values that a list can't contain: characters that XML doesn't
    ///   allow, dates that XML can't express or that are not finite, and lists nested too deeply.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        if let mediaType, mediaType.subtype.ends(with: "+xml") {
            throw CodingProblem(
                "\(mediaType.essence) is not a property list; use the module CumulusXML to write types as XML"
            )
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        let bytes = PropertyListCoder.keepingReturns(try encoder.encode(value), format)
        // Foundation writes characters and dates that nobody could read.
        try bytes.withUnsafeBytes { bytes in
            if format == .binary { return try BinaryPropertyList(bytes).checkDates() }
            try XMLParser(bytes).checkCharacters()
            try PropertyListCoder.checkDates(bytes)
        }
        return ByteChunk(bytes)
    }

    private static func checkDates(_ bytes: UnsafeRawBufferPointer) throws {
        let tag = Array("<date>".utf8)
        // In texts, `<` is escaped.
        for start in bytes.indices where bytes[start] == tag[0] && bytes[start...].starts(with: tag) {
            let text = bytes[(start + tag.count)...].prefix { $0 != tag[0] }
            guard ISO8601Date.date(String(decoding: text, as: UTF8.self)) != nil else { throw unreadableDate }
        }
    }

    static let unreadableDate = CodingProblem(
        "a date is not finite, or is outside the years that a property list can represent"
    )

    /// Foundation writes carriage returns as they are, which every reader of XML takes for line feeds (XML 1.0 section
    /// 2.11); it writes none of its own.
    private static func keepingReturns(_ bytes: Data, _ format: Format) -> [UInt8] {
        guard format == .xml, bytes.contains(0x0D) else { return Array(bytes) }
        return bytes.reduce(into: []) { kept, byte in
            if byte == 0x0D { kept += "&#13;".utf8 } else { kept.append(byte) }
        }
    }

    /// Decodes a property list of either format.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        let list = try PropertyList(parsing: bytes, charset: mediaType?["charset"])
        if let list = list as? Value { return list }
        switch list {
        case .array, .dictionary:
            return try PropertyListCoder.decode(type, from: list, isBinary: PropertyList.isBinary(bytes))
        default:
            // Foundation's encoder refuses a single value.
            let list = PropertyList.array([list])
            let values = try PropertyListCoder.decode([Value].self, from: list, isBinary: PropertyList.isBinary(bytes))
            guard let value = values.first else { throw CodingProblem.emptyBody }
            return value
        }
    }

    /// Decodes a parsed list.
    ///
    /// Foundation's decoder overflows the stack on deep nesting, follows cycles without end, and cuts off numbers and
    /// Base64 that are not valid. So it reads what its own encoder makes of the list, in the same format, since it
    /// rounds a number to a `Float` only if it is text.
    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from list: PropertyList,
        isBinary: Bool
    ) throws -> Value {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = isBinary ? .binary : .xml
        var data = try encoder.encode(list)
        // In text it fails at a string that begins with `$null`, and at a dictionary of `CF$UID`.
        if !isBinary, data.contains(UInt8(ascii: "$")) {
            encoder.outputFormat = .binary
            data = try encoder.encode(list)
        }
        let decoder = PropertyListDecoder()
        CodingUserInfoKey.propertyList.map { decoder.userInfo[$0] = list }
        return try decoder.decode(type, from: data)
    }
}
