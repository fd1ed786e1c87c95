// SPDX-License-Identifier: Apache-2.0

// Programs that import the core also have JSON.
@_exported public import CumulusJSON

/// Encodes and decodes JSON (RFC 8259), for your `Codable` types and for `JSON`.
public struct JSONCoder: BodyCoder {
    /// The strategies for encoding; by default those of Foundation's `JSONEncoder`.
    public var encoding: JSON.EncodingStrategies
    /// The strategies for decoding; by default those of Foundation's `JSONDecoder`.
    public var decoding: JSON.DecodingStrategies

    /// Creates a coder with strategies for dates, keys and similar values.
    public init(
        encoding: JSON.EncodingStrategies = JSON.EncodingStrategies(),
        decoding: JSON.DecodingStrategies = JSON.DecodingStrategies()
    ) {
        self.encoding = encoding
        self.decoding = decoding
    }

    /// `application/json`.
    public var mediaType: MediaType { .json }

    /// Encodes compact JSON, with members in the order in which the type encodes them.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        if let json = value as? JSON { return ByteChunk(json.encoded()) }
        return ByteChunk(try JSON.encodedText(of: value, strategies: encoding))
    }

    /// Decodes one JSON value, strictly.
    ///
    /// It also accepts UTF-16 and UTF-32, and the charset that the media type names if the bytes are not valid UTF-8.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard !bytes.isEmpty else { throw CodingProblem("the body is empty") }
        let json = try JSON(body: bytes, of: mediaType)
        if let json = json as? Value { return json }
        return try json.decode(as: type, strategies: decoding)
    }
}
