// SPDX-License-Identifier: Apache-2.0

import CZlib

/// A zlib stream for compression, with zlib's default level.
final class Deflater: ContentEncoder {
    // On the heap: zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ frame: Inflater.Frame) throws(ContentCodingProblem) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            frame.rawValue,
            8,  // zlib's default memory level.
            Z_DEFAULT_STRATEGY,
            zlibVersion(),
            Int32(MemoryLayout<z_stream>.size)
        )
        guard status == Z_OK else {
            throw ContentCodingProblem("zlib could not be started: out of memory, or the version doesn't match")
        }
    }

    deinit {
        // Has no effect if it was not started.
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func encode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        isLast: Bool
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        let given = UInt32(clamping: input.count)
        let space = UInt32(clamping: room.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = given
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = space
        let status = deflate(stream, isLast && Int(given) == input.count ? Z_FINISH : Z_NO_FLUSH)
        let consumed = Int(given - stream.pointee.avail_in)
        let produced = Int(space - stream.pointee.avail_out)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        switch status {
        // Z_BUF_ERROR means that it needs more input or output space, which is not a failure.
        case Z_OK, Z_BUF_ERROR: return ContentCodingStep(consumed: consumed, produced: produced, state: .within)
        case Z_STREAM_END: return ContentCodingStep(consumed: consumed, produced: produced, state: .over)
        default: throw ContentCodingProblem("zlib can't compress the body: error \(status)")
        }
    }
}
