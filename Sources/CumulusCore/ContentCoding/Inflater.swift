// SPDX-License-Identifier: Apache-2.0

import CZlib

/// A zlib stream for decompression, from its first byte to its last.
final class Inflater {
    /// The format around the data.
    enum Frame: Int32 {
        /// RFC 1952, with its checksum and length verified.
        case gzip = 31
        /// RFC 1950, with its checksum verified.
        case zlib = 15
        /// None, RFC 1951.
        case raw = -15
    }

    // On the heap: zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ frame: Frame) throws(ContentCodingProblem) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, frame.rawValue, zlibVersion(), size) == Z_OK else {
            throw ContentCodingProblem("zlib could not be started: out of memory, or the version doesn't match")
        }
    }

    deinit {
        // Has no effect if it was not started.
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Prepares the stream for another member.
    func restart() throws(ContentCodingProblem) {
        guard inflateReset(stream) == Z_OK else { throw ContentCodingProblem("zlib could not be reset") }
    }

    /// Decompresses as much of the input as fits; at the end of the stream its checksum has been verified.
    func inflate(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        let given = UInt32(clamping: input.count)
        let space = UInt32(clamping: room.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = given
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = space
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let consumed = Int(given - stream.pointee.avail_in)
        let produced = Int(space - stream.pointee.avail_out)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        switch status {
        // Z_BUF_ERROR means that it needs more input or output space, which is not a failure.
        case Z_OK, Z_BUF_ERROR: return ContentCodingStep(consumed: consumed, produced: produced, state: .within)
        case Z_STREAM_END: return ContentCodingStep(consumed: consumed, produced: produced, state: .over)
        case Z_NEED_DICT: throw ContentCodingProblem("the compressed body needs a dictionary")
        case Z_MEM_ERROR: throw ContentCodingProblem("out of memory while inflating the body")
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
            throw ContentCodingProblem("the compressed body is corrupt: \(reason)")
        }
    }
}
