// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file as a sequence of buffers of 256 KiB, read as they are asked for.
struct FilePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let path: String

    func length() throws -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw IOError(errnoCode: errno, reason: "stat") }
        return Int64(status.st_size)
    }

    func makeAsyncIterator() -> Iterator { Iterator(descriptor: Descriptor(open(path, O_RDONLY | O_CLOEXEC))) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let descriptor: Descriptor

        mutating func next() async throws -> ByteBuffer? {
            var buffer = ByteBufferAllocator().buffer(capacity: 256 * 1024)
            let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 256 * 1024) { bytes in
                Swift.max(0, read(descriptor.number, bytes.baseAddress, bytes.count))
            }
            return count == 0 ? nil : buffer
        }
    }

    fileprivate final class Descriptor: Sendable {
        let number: Int32

        init(_ number: Int32) { self.number = number }

        deinit { close(number) }
    }
}
