// SPDX-License-Identifier: Apache-2.0

/// The state of encoding a body with one coding: takes pieces, returns coded bytes, and never waits.
struct Compression {
    private static let roomSize = 65_536

    private let encoder: any ContentEncoder

    init(_ coding: ContentCoding) throws(ContentCodingProblem) { encoder = try coding.makeEncoder() }

    /// Encodes a piece; `isLast` ends the data.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - isLast: Whether this piece is the last one.
    ///   - limit: The largest useful size of the output; `nil` for any.
    /// - Returns: The output; `nil` if it exceeds the limit.
    /// - Throws: ``ContentCodingProblem`` if the encoder fails.
    mutating func compress(
        _ chunk: ByteChunk,
        isLast: Bool,
        limit: Int? = nil
    ) throws(ContentCodingProblem) -> [UInt8]? {
        var encoded: [UInt8] = []
        var offset = 0
        while true {
            let given = chunk.count - offset
            let (step, bytes) = try encode(chunk, from: offset, isLast: isLast)
            offset += step.consumed
            encoded += bytes
            if let limit, encoded.count > limit { return nil }
            if step.state == .over { return encoded }
            if !isLast, offset == chunk.count, step.produced < Compression.roomSize { return encoded }
            guard step.consumed > 0 || step.produced > 0 else {
                throw ContentCodingProblem("the encoder stopped \(given) bytes before the end")
            }
        }
    }

    private func encode(
        _ chunk: ByteChunk,
        from start: Int,
        isLast: Bool
    ) throws(ContentCodingProblem) -> (step: ContentCodingStep, bytes: [UInt8]) {
        let capacity = Compression.roomSize
        let given = chunk.count - start
        var result = Result<ContentCodingStep, ContentCodingProblem>.failure(
            ContentCodingProblem("encoding makes no progress")
        )
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            result = chunk.withUnsafeBytes { raw in
                Result { () throws(ContentCodingProblem) in
                    let step = try encoder.encode(
                        UnsafeRawBufferPointer(rebasing: raw[start...]),
                        into: UnsafeMutableRawBufferPointer(
                            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<capacity]
                        ),
                        isLast: isLast
                    )
                    guard 0...given ~= step.consumed, 0...capacity ~= step.produced else {
                        throw ContentCodingProblem("an encoder reports more bytes consumed than it received")
                    }
                    return step
                }
            }
            count = (try? result.get().produced) ?? 0
        }
        return (try result.get(), bytes)
    }
}
