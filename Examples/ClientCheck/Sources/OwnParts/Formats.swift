// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// A coder of one's own: lists of texts as lines.
struct LinesCoder: BodyCoder {
    var mediaType: MediaType { "text/x-lines" }
    var accept: String { mediaType.essence }

    func serves(_ type: any Any.Type) -> Bool { type == [String].self }

    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let lines = value as? [String] else { throw CodingProblem("\(type(of: value)) is not a list of texts") }
        return ByteChunk(lines.joined(separator: "\n"))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws -> Value {
        let lines = bytes.bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        guard let value = lines as? Value else { throw CodingProblem("lines can't be decoded as \(type)") }
        return value
    }
}

/// A content coding of one's own, which turns each byte over.
final class Turning: ContentDecoder, ContentEncoder {
    static let coding = ContentCoding(name: "x-turned", decoder: { Turning() }, encoder: { Turning() })

    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        // It has no end of its own: wherever the body ends, it is complete.
        ContentCodingStep(consumed: turn(input, room), produced: min(input.count, room.count), state: .complete)
    }

    func encode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        isLast: Bool
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        let count = turn(input, room)
        let isOver = isLast && count == input.count
        return ContentCodingStep(consumed: count, produced: count, state: isOver ? .over : .within)
    }

    private func turn(_ input: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(input.count, room.count)
        for index in 0..<count { room[index] = ~input[index] }
        return count
    }
}
