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

/// A file that is being downloaded, with its own name beside its destination (``PartFileName``), locked against other
/// writers from its opening to its end.
///
/// Whatever its path names in the meantime, this is the file that was opened. Writes have offsets, so several tasks may
/// write different ranges concurrently.
final class PartFile: Sendable {
    /// Another download holds the file.
    struct InUse: Error, CustomStringConvertible {
        let path: String
        var description: String { "another download is writing \(PeerText.quoted(path))" }
    }

    let path: FilePath
    let identity: FileIdentity
    let descriptor: CInt
    /// The total space that is wanted, and the end of the allocated space.
    private let space = Mutex(PartSpace())

    /// Opens the file exclusively for this process, or creates it; symbolic links are not followed.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - mode: The file's permissions, before the process's mask.
    /// - Throws: ``FileProblem``, also if something other than this user's own file is there; ``InUse``.
    init(_ path: FilePath, mode: mode_t = 0o666) throws {
        self.path = path
        descriptor = try PartFile.acquire(path.text, mode)
        var facts = stat()
        let isKnown = fstat(descriptor, &facts) == 0
        // Before anything is thrown, so that the file is closed.
        identity = FileIdentity(facts)
        guard isKnown, path.isChild(facts) else {
            throw FileProblem("create", path.text, because: "the new file is not in the expected directory")
        }
    }

    /// Opens a finished file, to give it another name; it must be this user's own.
    ///
    /// - Throws: ``FileProblem``, ``InUse``.
    convenience init(finished path: FilePath) throws { try self.init(path, lockedBy: LOCK_EX) }

    /// Opens a finished file to read it; it must be this user's own.
    ///
    /// The lock is shared: it excludes writers, and NFS grants no other one to a file that is opened for reading.
    ///
    /// - Throws: ``FileProblem``, ``InUse``.
    convenience init(reading path: FilePath) throws { try self.init(path, lockedBy: LOCK_SH) }

    private init(_ path: FilePath, lockedBy kind: CInt) throws {
        self.path = path
        descriptor = open(path.text, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileProblem("open", path.text) }
        do {
            identity = FileIdentity(try PartFile.lock(descriptor, path.text, kind))
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    private static func acquire(_ path: String, _ mode: mode_t) throws -> CInt {
        // Between opening and locking, the previous holder may have moved the file away: then a new one must be
        // created.
        for _ in 0..<100 {
            var descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            // Non-blocking, since it may be a pipe without a writer.
            if descriptor < 0, errno == EEXIST {
                descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            }
            guard descriptor >= 0 else {
                if errno == ENOENT, FilePath(path).exists { continue }
                // Not of a name that nobody has typed.
                if errno == ENOENT || errno == ENOTDIR {
                    throw FileProblem("create a file in", FilePath(path).directory)
                }
                throw errno == ELOOP
                    ? FileProblem("write", path, because: "it is a symbolic link") : FileProblem("create", path)
            }
            do {
                if try PartFile.claim(descriptor, path) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw InUse(path: path)
    }

    /// Locks an open file; false if it is no longer the one at its path.
    private static func claim(_ descriptor: CInt, _ path: String) throws -> Bool {
        let facts = try lock(descriptor, path)
        guard FileIdentity(at: FilePath(path)) == FileIdentity(facts) else { return false }
        // A file with another name isn't ours to write to. Seen under the lock: a finishing download has two.
        guard facts.st_nlink == 1 else {
            if unlink(path) != 0 { throw FileProblem("replace", path) }
            return false
        }
        return true
    }

    /// Locks an open file of this user's, and looks at it.
    private static func lock(_ descriptor: CInt, _ path: String, _ kind: CInt = LOCK_EX) throws -> stat {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileProblem("inspect", path) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw FileProblem("write", path, because: "it is not a regular file")
        }
        guard facts.st_uid == geteuid() else { throw FileProblem("write", path, because: "it belongs to another user") }
        guard flock(descriptor, kind | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { throw InUse(path: path) }
            // A file system without locks: the other precautions must suffice.
            if errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS { return facts }
            throw FileProblem("lock", path)
        }
        guard fstat(descriptor, &facts) == 0 else { throw FileProblem("inspect", path) }
        return facts
    }

    /// Whether the path still names this file.
    var isInPlace: Bool { FileIdentity(at: path) == identity }

    /// The file's size.
    var size: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Writes bytes at an offset; several tasks may do so concurrently.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileProblem) {
        takeSpace(for: offset, count: bytes.count)
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor,
                bytes.baseAddress?.advanced(by: done),
                bytes.count - done,
                off_t(offset + Int64(done))
            )
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileProblem("write", path.text, errorNumber: count < 0 ? errno : EIO) }
            done += count
        }
    }

    /// Reads into a buffer from an offset.
    ///
    /// - Returns: The number of bytes; smaller than the buffer only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileProblem) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress?.advanced(by: done),
                buffer.count - done,
                off_t(offset + Int64(done))
            )
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileProblem("read", path.text) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Removes everything after a length.
    func truncate(to length: Int64) throws(FileProblem) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw FileProblem("truncate", path.text) }
    }

    /// Extends the file to a length, so that a full disk is detected before the first byte.
    ///
    /// The space itself is allocated in steps, ahead of the bytes, since the length is only the server's claim.
    ///
    /// - Throws: ``FileProblem`` with `ENOSPC`.
    func reserve(_ length: Int64) throws(FileProblem) {
        let size = size
        guard length > size else { return }
        if let free = freeSpace, free < length - size {
            throw FileProblem("reserve \(length - size) bytes in", path.text, errorNumber: ENOSPC)
        }
        guard ftruncate(descriptor, off_t(length)) == 0 else {
            throw FileProblem("reserve \(length) bytes in", path.text)
        }
        space.withLock { $0.want(length, from: size) }
        takeSpace(for: size, count: 0)
    }

    /// Allocates the next step of the wanted space, if bytes are about to reach the end of the allocated space.
    ///
    /// A failure is not an error here: the write that lacks the space reports it.
    private func takeSpace(for offset: Int64, count: Int) {
        #if !canImport(Darwin)
        guard let step = space.withLock({ $0.next(for: offset, count: count) }), let free = freeSpace else { return }
        let length = min(step.upperBound - step.lowerBound, free - PartSpace.leftFree)
        if length > 0 { _ = posix_fallocate(descriptor, off_t(step.lowerBound), off_t(length)) }
        #endif
    }

    /// The disk's free space for this user in bytes; `nil` if unknown.
    ///
    /// On Apple's systems `statvfs` counts blocks in 32 bits (`fsblkcnt_t`), so volumes over 16 TiB may report too
    /// little.
    private var freeSpace: Int64? {
        var facts = statvfs()
        guard fstatvfs(descriptor, &facts) == 0 else { return nil }
        let (free, overflows) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflows ? .max : Int64(clamping: free)
    }

    /// Waits until the written bytes are on the disk.
    func sync() throws(FileProblem) {
        guard StableStorage.flushBytes(descriptor) || errno == EINVAL else { throw FileProblem("sync", path.text) }
    }

    /// Sets the modification time, in seconds since 1970.
    func setModificationTime(_ seconds: Int64) throws(FileProblem) {
        var now = timespec()
        now.tv_nsec = PartFile.omitted
        var time = timespec()
        time.tv_sec = Int(seconds)
        guard futimens(descriptor, [now, time]) == 0 else { throw FileProblem("set the date of", path.text) }
    }

    /// `UTIME_OMIT`, a macro that Swift can't read.
    #if canImport(Darwin)
    private static let omitted = -2
    #else
    private static let omitted = (1 << 30) - 2
    #endif

    /// Copies the permissions of a file that it replaces.
    func takePermissions(from target: FilePath) {
        var facts = stat()
        guard lstat(target.text, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return }
        _ = fchmod(descriptor, facts.st_mode & 0o777)
    }

    /// Takes the permissions of a file whose bytes are copied here; this file stays writable, so that it can be resumed.
    func takePermissions(of source: PartFile) {
        var facts = stat()
        guard fstat(source.descriptor, &facts) == 0 else { return }
        _ = fchmod(descriptor, facts.st_mode & 0o777 | 0o600)
    }

    /// Releases the lock for other downloads; nothing more may be written here.
    ///
    /// Closing releases it, too, but only with the last reference, which may be a little after a waiting caller has
    /// continued.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Removes the file's name, unless that is another file's by now.
    func discard() { if isInPlace { unlink(path.text) } }
}
