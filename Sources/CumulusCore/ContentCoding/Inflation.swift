// SPDX-License-Identifier: Apache-2.0

/// The state of decoding a body with one coding: takes and returns pieces of limited size, and never waits.
struct Inflation {
    /// The largest piece of output.
    static let pieceSize = 65_536
    /// Beyond this, output that is out of proportion to the received bytes is refused.
    static let harmless: Int64 = 1 << 20
    /// Above deflate's maximum of 1032 for one stream; only other codings, and nested codings, exceed it.
    static let mostRatio: Int64 = 1_100
    /// How many bytes may hold nothing, such as empty gzip members or skippable frames: a body of them could be
    /// endless.
    static let mostBarren: Int64 = 1 << 20
    /// How many bytes may hold one, beyond those; a gzip member of one byte has 21.
    static let mostExpansion: Int64 = 32
    /// The limit of bytes after the end of the compressed data.
    static let mostTrailing = 65_536

    enum Step: Sendable {
        case bytes(ByteChunk)
        /// The input is used up.
        case hungry
    }

    private let coding: ContentCoding
    /// `nil` until there is something to decode.
    private var decoder: (any ContentDecoder)?
    private var state = ContentCodingStep.State.within
    private var pending = ByteChunk.empty
    private var offset = 0
    /// Whether the decoder may produce more without more input.
    private var isFull = false
    private var produced: Int64 = 0
    private var consumed: Int64 = 0
    private var ignored = 0

    init(_ coding: ContentCoding) { self.coding = coding }

    private var remaining: Int { pending.count - offset }

    /// Takes the next piece, after the previous one is used up.
    mutating func feed(_ chunk: ByteChunk) {
        pending = chunk
        offset = 0
    }

    /// Decodes until there is output, or more input is needed.
    ///
    /// - Parameter received: How many bytes of the whole body have been received.
    /// - Returns: Output, never empty, or a request for input.
    /// - Throws: ``ContentCodingProblem`` for invalid data, or disproportionate input or output.
    mutating func step(received: Int64) throws(ContentCodingProblem) -> Step {
        while true {
            if state == .over {
                try ignore()
                return .hungry
            }
            guard remaining > 0 || isFull else { return .hungry }
            let bytes = try decode()
            produced += Int64(bytes.count)
            guard produced <= Inflation.harmless || produced / Inflation.mostRatio <= received else {
                throw ContentCodingProblem(
                    "the decompressed body is more than \(Inflation.mostRatio) times as large as the received bytes",
                    kind: .disproportionate
                )
            }
            guard (consumed - Inflation.mostBarren) / Inflation.mostExpansion <= produced else {
                throw ContentCodingProblem(
                    "the body is nearly empty: \(consumed) bytes of \(coding.name) decode to only \(produced) bytes"
                )
            }
            // Many streams of one byte each would otherwise keep one large array each.
            if bytes.isEmpty { continue }
            let isRoomy = bytes.capacity >> 4 > bytes.count
            return .bytes(ByteChunk(isRoomy ? bytes.withUnsafeBufferPointer { Array($0) } : bytes))
        }
    }

    /// Notes the end of the input; an empty body decodes as an empty one.
    ///
    /// - Throws: ``ContentCodingProblem`` if the compressed data is truncated.
    mutating func finish() throws(ContentCodingProblem) {
        guard decoder == nil || state != .within else {
            throw ContentCodingProblem("the compressed body is truncated", kind: .truncated)
        }
        state = .over
    }

    private mutating func ignore() throws(ContentCodingProblem) {
        ignored += remaining
        feed(.empty)
        guard ignored <= Inflation.mostTrailing else {
            throw ContentCodingProblem(
                "more than \(Inflation.mostTrailing) bytes follow the end of the compressed body"
            )
        }
    }

    private mutating func decode() throws(ContentCodingProblem) -> [UInt8] {
        let decoder = try started()
        // Small bodies get small arrays, since the response keeps them.
        let capacity = isFull ? Inflation.pieceSize : min(Inflation.pieceSize, max(1_024, min(remaining, 16_384) * 4))
        let (chunk, start, given) = (pending, offset, remaining)
        var result = Result<ContentCodingStep, ContentCodingProblem>.failure(
            ContentCodingProblem("decoding makes no progress")
        )
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            // The pointers' closures rethrow untyped errors, so the outcome is stored as a value.
            result = chunk.withUnsafeBytes { raw in
                Result { () throws(ContentCodingProblem) in
                    let input = UnsafeRawBufferPointer(rebasing: raw[start...])
                    // The array's capacity may exceed the requested one.
                    let whole = UnsafeMutableRawBufferPointer(buffer)
                    let room = UnsafeMutableRawBufferPointer(rebasing: whole[..<capacity])
                    return try Inflation.checked(decoder.decode(input, into: room), given: given, capacity: capacity)
                }
            }
            count = (try? result.get().produced) ?? 0
        }
        let step = try result.get()
        guard step.consumed > 0 || step.produced > 0 || step.state == .over || given == 0 else {
            throw ContentCodingProblem("the compressed body is corrupt: decoding makes no progress")
        }
        offset += step.consumed
        consumed += Int64(step.consumed)
        state = step.state
        isFull = step.state != .over && step.produced == capacity
        return bytes
    }

    private mutating func started() throws(ContentCodingProblem) -> any ContentDecoder {
        if let decoder { return decoder }
        let made = try coding.makeDecoder()
        decoder = made
        return made
    }

    /// Refuses impossible results of a decoder that isn't ours.
    private static func checked(
        _ step: ContentCodingStep,
        given: Int,
        capacity: Int
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        guard 0...given ~= step.consumed, 0...capacity ~= step.produced else {
            throw ContentCodingProblem(
                "a decoder reports \(step.consumed) of \(given) bytes consumed and \(step.produced) of \(capacity) produced"
            )
        }
        return step
    }
}
