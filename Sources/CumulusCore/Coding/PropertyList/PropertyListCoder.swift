// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Property lists, XML and binary, both ways, for your `Codable` types and for ``PropertyList``.
///
/// It also serves `application/xml` and `text/xml`, as Cocoa's "XML" is a property list; XML of any other kind is an
/// error that says so.
public struct PropertyListCoder: BodyCoder {
    /// The two forms.
    public enum Format: Sendable, Hashable {
        /// XML.
        case xml
        /// `bplist00`.
        case binary
    }

    /// How lists are written; both are read.
    public var format: Format

    /// Makes a coder.
    public init(format: Format = .xml) { self.format = format }

    /// `application/x-plist`.
    public var mediaType: MediaType { .propertyList }

    /// Property lists by any of their names.
    public var accept: String { "application/x-plist, application/xml, text/xml" }

    /// Writes a dictionary or a list; XML in UTF-8.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        if let mediaType, mediaType.subtype.ends(with: "+xml") {
            throw CodingProblem(
                "\(mediaType.essence) is not a property list; the module CumulusXML writes XML of types"
            )
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        let bytes = try encoder.encode(value)
        // Foundation writes characters that XML doesn't have, and nobody could read it.
        if format == .xml { try bytes.withUnsafeBytes { try XMLParser($0).checkCharacters() } }
        return ByteChunk(bytes)
    }

    /// Reads a property list of either form.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        // Foundation's decoder follows any nesting until the stack ends; this one reads no bytes, but the list.
        let list = try PropertyList(parsing: bytes, charset: mediaType?["charset"])
        return try PropertyListValueDecoder(list).decode(type)
    }
}
