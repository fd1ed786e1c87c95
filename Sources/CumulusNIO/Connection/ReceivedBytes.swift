// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// A slice of a receive buffer as a chunk of a body, without copying the bytes.
struct ReceivedBytes: ByteStorage {
    let buffer: ByteBuffer

    var count: Int { buffer.readableBytes }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeReadableBytes(body)
    }
}

extension ByteChunk {
    /// Wraps a buffer without copying it.
    init(_ buffer: ByteBuffer) {
        self.init(ReceivedBytes(buffer: buffer), count: buffer.readableBytes)
    }

    /// The bytes as a buffer; copied unless the storage is a buffer.
    var byteBuffer: ByteBuffer {
        if let received = unwrap(as: ReceivedBytes.self) { return received.buffer }
        return withUnsafeBytes { ByteBuffer(bytes: $0) }
    }
}
