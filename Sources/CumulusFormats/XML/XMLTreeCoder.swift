// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Encodes and decodes XML as a tree, ``XML``.
///
/// For your `Codable` types, use the module CumulusXML.
struct XMLTreeCoder: BodyCoder {
    /// Creates a coder.
    init() {}

    /// `application/xml`.
    var mediaType: MediaType { .xml }

    /// Both media types of XML.
    var accept: String { "application/xml, text/xml" }

    /// ``XML`` only.
    func serves(_ type: any Any.Type) -> Bool { type == XML.self }

    /// Encodes the document in UTF-8.
    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let xml = value as? XML else { throw CodingProblem("\(type(of: value)) is not XML") }
        if let charset = mediaType?["charset"], !["utf-8", "utf8"].contains(charset.lowercased()) {
            throw CodingProblem("XML can be written only in UTF-8, not in \(PeerText.quoted(charset))")
        }
        return ByteChunk(try xml.encoded())
    }

    /// Decodes the document, in the charset that the response names or the document declares.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard !bytes.isEmpty else { throw CodingProblem.emptyBody }
        let xml = try bytes.withUnsafeBytes { try XML(parsing: $0, charset: mediaType?["charset"]) }
        guard let value = xml as? Value else { throw CodingProblem("\(type) is not XML") }
        return value
    }
}
