// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A lock between processes: an empty file, which is kept, since removing it would let two processes hold it at once.
///
/// The system releases it when its holder ends, for whatever reason.
package final class FileLock: Sendable {
    private let path: FilePath
    private let descriptor: CInt

    package init(_ path: FilePath) throws {
        self.path = path
        try FilePath.makeDirectory(path.directory)
        descriptor = open(path.text, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw FileFailure("create", path.text) }
    }

    deinit { close(descriptor) }

    /// Takes the lock; false while another process holds it.
    package func take() throws(FileFailure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        switch errno {
        case EWOULDBLOCK: return false
        // A file system without locks: only calls within the process are serialized.
        case ENOLCK, EOPNOTSUPP, ENOSYS: return true
        case EINTR: return false
        default: throw FileFailure("lock", path.text)
        }
    }

    package func release() { _ = flock(descriptor, LOCK_UN) }
}
