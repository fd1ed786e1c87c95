// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that a download goes into.
public final class OutputFile {
    private let descriptor: Int32

    /// Opens a file and empties it.
    public init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw FileFailure(errno: errno) }
    }

    deinit { close(descriptor) }

    /// Writes all of the bytes.
    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        var written = 0
        while written < bytes.count, let base = bytes.baseAddress {
            #if canImport(Glibc)
            let count = Glibc.write(descriptor, base + written, bytes.count - written)
            #elseif canImport(Musl)
            let count = Musl.write(descriptor, base + written, bytes.count - written)
            #else
            let count = Darwin.write(descriptor, base + written, bytes.count - written)
            #endif
            if count < 0, errno != EINTR { throw FileFailure(errno: errno) }
            written += max(0, count)
        }
    }
}
