// SPDX-License-Identifier: Apache-2.0

/// Deflate, with or without zlib's header.
final class DeflateDecoder: ContentDecoder {
    private var inflater: Inflater?
    /// The first of the two header bytes.
    private var held: UInt8?

    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        if let inflater { return try inflater.inflate(input, into: room) }
        guard let next = input.first else { return ContentCodingStep(consumed: 0, produced: 0, state: .within) }
        guard let first = held else {
            held = next
            return ContentCodingStep(consumed: 1, produced: 0, state: .within)
        }
        // RFC 1950 section 2.2: method 8, a window of at most 32 KiB, and a multiple of 31.
        let isFramed = first & 0x0F == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(next)) % 31 == 0
        let inflater = try Inflater(isFramed ? .zlib : .raw)
        self.inflater = inflater
        // A stream produces no output from its first byte, and can't end there, so no output buffer is needed.
        let step = try withUnsafeBytes(of: first) { bytes in
            Result { () throws(ContentCodingProblem) in try inflater.inflate(bytes, into: room) }
        }.get()
        guard step.consumed == 1, step.produced == 0, step.state == .within else {
            throw ContentCodingProblem("the compressed body is corrupt: its first byte is not valid")
        }
        return try inflater.inflate(input, into: room)
    }
}
