// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps a token in a file that only its owner can read, and that several processes may share.
///
/// The file is replaced in one step, has the mode 0600, and a directory that is made for it 0700. While a token is
/// renewed, an empty file beside it, its name with `.lock` behind, is locked (`flock`): of many processes one renews, the
/// others take what it got. A file that others can read is refused. The token is not encrypted.
public struct FileTokenStore: TokenStore {
    private static let longest = 1 << 20

    private let path: FilePath
    private let clock: any RequestClock
    private let lane = DiskLane("cumulus.tokens")

    /// Names the file, which need not exist.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - clock: What the waits for another process's renewal are measured by.
    public init(_ path: String, clock: any RequestClock = SystemClock()) {
        self.path = FilePath(path)
        self.clock = clock
    }

    /// The token; `nil` where there is no file, or no token in it.
    ///
    /// - Throws: ``FileProblem`` for a file that can't be read, is another user's, or may be read by others.
    public func token() async throws -> OAuth2Token? { try await lane.run { [path] in try FileTokenStore.read(path) } }

    /// Replaces the file, or removes it.
    ///
    /// - Throws: ``FileProblem``.
    public func keep(_ token: OAuth2Token?) async throws {
        try await lane.run { [path] in
            guard let token else {
                guard unlink(path.text) == 0 || errno == ENOENT else { throw FileProblem("remove", path.text) }
                return
            }
            try FileTokenStore.write(token.encoded(), to: path)
        }
    }

    /// Runs work while no other holder of this file does.
    ///
    /// - Throws: ``FileProblem``, and what the work throws.
    public func exclusively(
        _ work: @escaping @Sendable () async throws -> OAuth2Token
    ) async throws -> OAuth2Token {
        let lock = try FileLock(path.appending(".lock"))
        var pause = Duration.milliseconds(10)
        while try !lock.take() {
            try await clock.sleep(until: clock.now.advanced(by: pause))
            pause = min(pause * 2, .milliseconds(500))
        }
        defer { withExtendedLifetime(lock) { lock.release() } }
        return try await work()
    }

    private static func read(_ path: FilePath) throws -> OAuth2Token? {
        let descriptor = open(path.text, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileProblem("read", path.text)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileProblem("look at", path.text) }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= longest else {
            throw FileProblem("read", path.text, because: "it is no file of a token")
        }
        guard facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
            throw FileProblem("read", path.text, because: "it must be yours alone, with mode 600")
        }
        let size = Int(facts.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
        return OAuth2Token(decoding: bytes)
    }

    private static func write(_ bytes: [UInt8], to path: FilePath) throws {
        try FilePath.makeDirectory(path.directory)
        let draft = path.text + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileProblem("make", draft) }
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        let isWritten = written == bytes.count && fsync(descriptor) == 0
        let problem = FileProblem("write", draft, errorNumber: written >= 0 && written < bytes.count ? ENOSPC : errno)
        close(descriptor)
        guard isWritten, rename(draft, path.text) == 0 else {
            unlink(draft)
            throw problem
        }
        try FilePath.sync(directory: path.directory)
    }
}
