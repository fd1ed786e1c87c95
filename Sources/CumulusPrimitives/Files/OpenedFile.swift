// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A regular file that is open for reading.
package struct OpenedFile: ~Copyable {
    /// Why a file can't be read whole.
    package struct Refusal: Error, Sendable, Hashable {
        /// The kinds of refusal.
        package enum Kind: Sendable, Hashable {
            /// There is no such file.
            case missing
            /// It can't be opened or read.
            case unreadable
            /// It is a folder, a device or a pipe.
            case notPlain
        }

        package let kind: Kind
        /// The file.
        package let path: String
        /// What was wrong, in words that follow the path.
        package let reason: String
    }

    private let descriptor: CInt
    private let path: String

    /// Opens a file.
    ///
    /// - Throws: ``Refusal`` if it is missing, can't be read, or is not a regular file.
    package init(_ path: String) throws(Refusal) {
        self.path = path
        // The system would read the path only up to a NUL. Without O_NONBLOCK, opening a named pipe would wait for a
        // writer.
        let hasNUL = path.utf8.contains(0)
        descriptor = hasNUL ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw OpenedFile.problem(path, hasNUL ? EINVAL : errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The file's length.
    package func size() throws(Refusal) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw OpenedFile.problem(path, errno) }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
            let isFolder = status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
            throw Refusal(kind: .notPlain, path: path, reason: isFolder ? "is a folder" : "is not a regular file")
        }
        // Files of /proc and the like have bytes all the same: nothing would be sent in their place.
        if status.st_size == 0, try !read(at: 0, count: 1).isEmpty {
            let reason = "has bytes but no size; send its content as a stream"
            throw Refusal(kind: .notPlain, path: path, reason: reason)
        }
        return Int64(status.st_size)
    }

    /// Reads up to this many bytes from an offset; none at the end.
    package func read(at offset: Int64, count: Int) throws(Refusal) -> [UInt8] {
        while true {
            var got = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
                got = pread(descriptor, space.baseAddress, count, off_t(offset))
                filled = max(0, got)
            }
            if got >= 0 { return bytes }
            if errno != EINTR { throw OpenedFile.problem(path, errno) }
        }
    }

    private static func problem(_ path: String, _ code: CInt) -> Refusal {
        let isMissing = code == ENOENT || code == ENOTDIR
        return Refusal(
            kind: isMissing ? .missing : .unreadable,
            path: path,
            reason: "can't be read: \(String(cString: strerror(code)))"
        )
    }
}
