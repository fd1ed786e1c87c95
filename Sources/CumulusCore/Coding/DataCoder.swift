// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes and decodes raw bytes: `Data` and `[UInt8]`.
struct DataCoder: BodyCoder {
    /// Creates a coder.
    init() {}

    /// `application/octet-stream`.
    var mediaType: MediaType { .bytes }

    /// Returns the value's bytes.
    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        switch value {
        case let data as Data: ByteChunk(data)
        case let bytes as [UInt8]: ByteChunk(bytes)
        default: throw CodingProblem("\(type(of: value)) can't be converted to bytes")
        }
    }

    /// Returns the body's bytes.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        if type == Data.self, let data = bytes.data as? Value { return data }
        if type == [UInt8].self, let array = bytes.bytes as? Value { return array }
        throw CodingProblem("\(type) can't be converted to bytes")
    }
}
