// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes and decodes JSON (RFC 8259), for your `Codable` types and for ``JSON``.
public struct JSONCoder: BodyCoder {
    /// How values are written; by default as Foundation's `JSONEncoder` does.
    public var encoding: JSON.EncodingStrategies
    /// How values are read; by default as Foundation's `JSONDecoder` does.
    public var decoding: JSON.DecodingStrategies

    /// The implementation for your types; ``JSON`` itself always uses Cumulus's own.
    public var engine: Engine

    /// An implementation of parsing and writing.
    public enum Engine: Sendable, Hashable {
        /// Cumulus's own parser and writer.
        case cumulus
        /// `JSONDecoder` and `JSONEncoder` of Foundation, with the same strategies.
        case foundation
    }

    /// Makes a coder with strategies for dates, keys and similar values.
    public init(
        encoding: JSON.EncodingStrategies = JSON.EncodingStrategies(),
        decoding: JSON.DecodingStrategies = JSON.DecodingStrategies(),
        engine: Engine = .cumulus
    ) {
        self.encoding = encoding
        self.decoding = decoding
        self.engine = engine
    }

    /// `application/json`.
    public var mediaType: MediaType { .json }

    /// Encodes compact JSON, with members in the order in which the type encodes them.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        if let json = value as? JSON { return ByteChunk(json.encoded()) }
        if engine == .foundation { return ByteChunk(try JSONEncoder(encoding).encode(value)) }
        return ByteChunk(try JSON(encoding: value, strategies: encoding).encoded())
    }

    /// Decodes one JSON value, strictly.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard !bytes.isEmpty else { throw CodingProblem("the body is empty") }
        if engine == .foundation, type != JSON.self {
            return try JSONDecoder(decoding).decode(type, from: bytes.data)
        }
        let json = try bytes.withUnsafeBytes { try JSON(parsing: $0) }
        if let json = json as? Value { return json }
        return try json.decode(as: type, strategies: decoding)
    }
}
