// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A regular file that is open for reading.
struct OpenedFile: ~Copyable {
    private let descriptor: CInt
    private let path: String

    /// Opens a file.
    ///
    /// - Throws: ``UploadProblem`` if it is missing, can't be read, or is not a regular file.
    init(_ path: String) throws(UploadProblem) {
        self.path = path
        // The system would read the path only up to a NUL. Without O_NONBLOCK, opening a named pipe would wait for a
        // writer.
        let hasNUL = path.utf8.contains(0)
        descriptor = hasNUL ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw OpenedFile.problem(path, hasNUL ? EINVAL : errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The file's length.
    func size() throws(UploadProblem) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw OpenedFile.problem(path, errno) }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
            let isFolder = status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
            throw UploadProblem(.notPlain, path: path, isFolder ? "is a folder" : "is not a regular file")
        }
        // Files of /proc and the like have bytes all the same: nothing would be sent in their place.
        if status.st_size == 0, try !read(at: 0, count: 1).isEmpty {
            throw UploadProblem(.notPlain, path: path, "has bytes but no size; send its content as a stream")
        }
        return Int64(status.st_size)
    }

    /// Reads up to this many bytes from an offset; none at the end.
    func read(at offset: Int64, count: Int) throws(UploadProblem) -> [UInt8] {
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

    private static func problem(_ path: String, _ code: CInt) -> UploadProblem {
        let isMissing = code == ENOENT || code == ENOTDIR
        return UploadProblem(
            isMissing ? .missing : .unreadable,
            path: path,
            "can't be read: \(String(cString: strerror(code)))"
        )
    }
}
