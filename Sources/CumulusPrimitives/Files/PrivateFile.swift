// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A small file with secrets, readable only by its owner and replaced atomically.
package struct PrivateFile: Sendable {
    package let path: FilePath
    private let longest: Int

    package init(_ path: FilePath, longest: Int = 1 << 20) {
        self.path = path
        self.longest = longest
    }

    /// Refers to a file, which need not exist.
    package init(_ path: String) { self.init(FilePath(path)) }

    /// Reads the file; `nil` if it doesn't exist.
    ///
    /// - Parameter evenIfShared: Whether to accept a file, written by another program, that others may read.
    /// - Returns: The bytes.
    /// - Throws: ``FileFailure`` for a file that can't be read, belongs to another user, or may be read by others.
    package func read(evenIfShared: Bool = false) throws(FileFailure) -> [UInt8]? {
        let descriptor = open(path.text, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            // Because of O_NOFOLLOW; the system's own message would be misleading.
            if errno == ELOOP {
                throw FileFailure("read", path.text, because: "it is a symbolic link; use the path of the file itself")
            }
            throw FileFailure("read", path.text)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileFailure("inspect", path.text) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            let kind = facts.st_mode & S_IFMT == S_IFDIR ? "it is a directory" : "it is not a regular file"
            throw FileFailure("read", path.text, because: kind)
        }
        guard facts.st_size <= longest else {
            throw FileFailure("read", path.text, because: "it is longer than \(longest >> 10) KiB")
        }
        // A file that others may write to is never accepted.
        let refused: mode_t = evenIfShared ? 0o022 : 0o077
        guard facts.st_uid == geteuid() else {
            throw FileFailure("read", path.text, because: "it belongs to another user")
        }
        guard facts.st_mode & refused == 0 else {
            let verb = evenIfShared ? "write to" : "read"
            throw FileFailure("read", path.text, because: "other users can \(verb) it; change it to mode 600")
        }
        let size = Int(facts.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }

    /// Replaces the file, creating its parent directories.
    ///
    /// - Returns: The new file, even if another program has replaced it since.
    /// - Throws: ``FileFailure``.
    @discardableResult
    package func write(_ bytes: [UInt8]) throws(FileFailure) -> FileIdentity {
        try FilePath.makeDirectory(path.directory)
        // Named after this process, so that another process's draft isn't removed while it writes.
        let identity = try PrivateFile.replace(path, with: bytes, by: "\(path.text).\(getpid()).new")
        try FilePath.sync(directory: path.directory)
        return identity
    }

    /// Writes a draft, and renames it once its bytes are on the disk.
    ///
    /// - Returns: The new file.
    @discardableResult
    package static func replace(
        _ path: FilePath,
        with bytes: [UInt8],
        by draft: String
    ) throws(FileFailure) -> FileIdentity {
        unlink(draft)
        let identity = try create(FilePath(draft), with: bytes)
        guard rename(draft, path.text) == 0 else {
            let refused = FileFailure("replace", path.text)
            unlink(draft)
            throw refused
        }
        return identity
    }

    /// Writes a new file, readable only by its owner, and removes it if not all bytes can be written.
    ///
    /// - Parameters:
    ///   - path: The file, which must not exist.
    ///   - bytes: Its bytes.
    ///   - isFlushed: Whether to wait until the bytes are on the disk.
    /// - Returns: The file.
    /// - Throws: ``FileFailure``.
    @discardableResult
    package static func create(
        _ path: FilePath,
        with bytes: [UInt8],
        isFlushed: Bool = true
    ) throws(FileFailure) -> FileIdentity {
        let descriptor = open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure("create", path.text) }
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        var facts = stat()
        let isWritten =
            written == bytes.count && (!isFlushed || StableStorage.flush(descriptor)) && fstat(descriptor, &facts) == 0
        let isShort = written >= 0 && written < bytes.count
        let problem = FileFailure("write", path.text, errorNumber: isShort ? ENOSPC : errno)
        close(descriptor)
        guard isWritten else {
            unlink(path.text)
            throw problem
        }
        return FileIdentity(facts)
    }

    /// Removes the file, if it exists.
    ///
    /// - Throws: ``FileFailure``.
    package func remove() throws(FileFailure) {
        guard unlink(path.text) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw FileFailure("remove", path.text)
        }
    }
}
