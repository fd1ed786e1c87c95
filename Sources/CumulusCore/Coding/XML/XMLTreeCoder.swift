// SPDX-License-Identifier: Apache-2.0

/// XML as a tree: ``XML``, both ways.
///
/// For your `Codable` types there is the module CumulusXML.
struct XMLTreeCoder: BodyCoder {
    /// Makes a coder.
    init() {}

    /// `application/xml`.
    var mediaType: MediaType { .xml }

    /// XML of either name.
    var accept: String { "application/xml, text/xml" }

    /// Trees only.
    func serves(_ type: any Any.Type) -> Bool { type == XML.self }

    /// Writes the document in UTF-8.
    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let xml = value as? XML else { throw CodingProblem("\(type(of: value)) is not XML") }
        if let charset = mediaType?["charset"], Charset(named: charset) != .utf8 {
            throw CodingProblem("XML is written in UTF-8, not in \(RequestURL.quote(charset))")
        }
        return ByteChunk(try xml.encoded())
    }

    /// Reads the document, in the charset that the response names or the document declares.
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
