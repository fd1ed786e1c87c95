// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file open for reading, which is closed with its last reference.
// Unchecked: the descriptor never changes, and reading at an offset doesn't move the file position.
final class BodyFile: @unchecked Sendable {
    /// The file ended before the requested range.
    struct EndedEarly: Error, CustomStringConvertible {
        let missing: Int64
        var description: String { "it ends \(missing) bytes before the end of the range" }
    }

    private let descriptor: CInt
    /// The handle for `sendfile`.
    let handle: NIOFileHandle

    /// Opens a file and checks that it contains the range.
    init(_ body: FileBody) throws {
        descriptor = open(body.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "open") }
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
        try check(body)
        let size = Int64(lseek(descriptor, 0, SEEK_END))
        if size < body.offset + body.length { throw EndedEarly(missing: body.offset + body.length - max(0, size)) }
    }

    deinit { try? handle.close() }

    /// Checks that the file still has the required size.
    ///
    /// This doesn't access the disk: the system keeps the sizes of open files.
    func check(_ body: FileBody) throws(UploadProblem) {
        guard let expected = body.wholeLength else { return }
        let size = Int64(lseek(descriptor, 0, SEEK_END))
        guard size != expected else { return }
        throw UploadProblem(
            .changed,
            path: body.path,
            "changed: it had \(expected) bytes when the request was made, and now has \(max(0, size))"
        )
    }

    /// Reads exactly `count` bytes from an offset.
    func read(at offset: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        while buffer.readableBytes < count {
            let missing = count - buffer.readableBytes
            let place = off_t(offset + Int64(buffer.readableBytes))
            var code: CInt = 0
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { space in
                let result = pread(descriptor, space.baseAddress, missing, place)
                if result < 0 { code = errno }
                return max(0, result)
            }
            if code == EINTR { continue }
            if code != 0 { throw IOError(errnoCode: code, reason: "pread") }
            if got == 0 { throw EndedEarly(missing: Int64(missing)) }
        }
        return buffer
    }
}
