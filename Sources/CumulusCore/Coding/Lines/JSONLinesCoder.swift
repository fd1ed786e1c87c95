// SPDX-License-Identifier: Apache-2.0

/// Encodes and decodes newline-delimited JSON, `application/x-ndjson` or `application/jsonl`: one value per line, as a
/// list.
///
/// Lists are written with one element per line. ``ResponseStream/jsonLines(as:limit:using:)`` reads the lines as they
/// arrive.
public struct JSONLinesCoder: BodyCoder {
    /// The coder for each value.
    public var json: JSONCoder

    /// Creates a coder.
    public init(json: JSONCoder = JSONCoder()) { self.json = json }

    /// `application/x-ndjson`.
    public var mediaType: MediaType { .jsonLines }

    /// The media types `application/x-ndjson` and `application/jsonl`.
    public var accept: String { "application/x-ndjson, application/jsonl" }

    /// Encodes the elements of a list, each followed by a line feed.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard case .array(let values) = try JSON(encoding: value, strategies: json.encoding) else {
            throw CodingProblem("only a list can be sent as lines, but \(type(of: value)) is not a list")
        }
        var bytes: [UInt8] = []
        for value in values {
            bytes += value.encoded()
            bytes.append(UInt8(ascii: "\n"))
        }
        return ByteChunk(bytes)
    }

    /// Decodes one value per line; empty lines are skipped.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        try JSON.array(JSONLinesCoder.values(of: bytes)).decode(as: type, strategies: json.decoding)
    }

    static func values(of bytes: ByteChunk) throws -> [JSON] {
        try bytes.withUnsafeBytes { bytes in
            var values: [JSON] = []
            var start = 0
            var line = 0
            while start < bytes.count {
                line += 1
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                if let text = JSONLine.content(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
                    do throws(JSON.ParsingError) {
                        values.append(try JSON(parsing: text))
                    } catch {
                        let chunk = ByteChunk([UInt8](text))
                        throw LineProblem(line: line, cause: error, in: chunk, offset: start + error.offset)
                    }
                }
                start = end + 1
            }
            return values
        }
    }
}

/// A line of newline-delimited JSON.
enum JSONLine {
    /// The line; `nil` if it is blank.
    static func content(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : line
    }
}
