// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The lock of an upload's record, between processes and within one.
///
/// The lock's file is removed with the record, so finished uploads leave nothing behind.
final class UploadLock: Sendable {
    private let path: FilePath
    private let descriptor: CInt
    private let identity: FileIdentity
    private let isRemoved = Atomic(false)

    /// Takes the lock; `nil` if another upload has it.
    ///
    /// - Throws: `FileFailure` if its file can't be made.
    init?(_ path: FilePath) throws(FileFailure) {
        self.path = path
        while true {
            let opened = open(path.text, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard opened >= 0 else { throw FileFailure("make", path.text) }
            switch UploadLock.take(opened) {
            case 0: break
            case EWOULDBLOCK, EINTR:
                close(opened)
                return nil
            // A file system without locks.
            case ENOLCK, EOPNOTSUPP, ENOSYS: break
            case let number:
                close(opened)
                throw FileFailure("lock", path.text, errorNumber: number)
            }
            var facts = stat()
            // Its last holder may have removed the file in between: a lock that no other process sees.
            if fstat(opened, &facts) == 0, FileIdentity(facts) == FileIdentity(at: path) {
                (descriptor, identity) = (opened, FileIdentity(facts))
                return
            }
            close(opened)
        }
    }

    deinit { close(descriptor) }

    /// Removes the lock's file, which only its holder may do, and only once: the next file is another holder's.
    func remove() {
        if isRemoved.exchange(true, ordering: .relaxed) { return }
        if FileIdentity(at: path) == identity { unlink(path.text) }
    }

    private static func take(_ descriptor: CInt) -> CInt { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }
}
