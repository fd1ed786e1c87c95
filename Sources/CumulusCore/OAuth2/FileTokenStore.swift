// SPDX-License-Identifier: Apache-2.0

/// Keeps a token in a file that only its owner can read, and that several processes may share.
///
/// The file is replaced in one step, has the mode 0600, and a directory that is made for it 0700. While a token is
/// renewed, an empty file beside it, its name with `.lock` behind, is locked (`flock`): of many processes one renews, and
/// the others take the new token. A file that others can read is refused. The token is not encrypted.
public struct FileTokenStore: TokenStore {
    private let path: FilePath
    private let clock: any RequestClock
    private let lane = DiskLane("cumulus.tokens")

    /// Names the file, which need not exist.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - clock: What the waits for another process's renewal are measured by.
    public init(_ file: some Locator, clock: any RequestClock = SystemClock()) {
        path = FilePath(file.locatorText)
        self.clock = clock
    }

    /// The token; `nil` if there is no file, or no token in it.
    ///
    /// - Throws: ``FileProblem`` for a file that can't be read, is another user's, or may be read by others.
    public func token() async throws -> OAuth2Token? {
        try await lane.run { [path] in try PrivateFile(path).read().flatMap { OAuth2Token(decoding: $0) } }
    }

    /// Replaces the file, or removes it.
    ///
    /// - Throws: ``FileProblem``.
    public func keep(_ token: OAuth2Token?) async throws {
        try await lane.run { [path] in
            let file = PrivateFile(path)
            if let token { try file.write(token.encoded()) } else { try file.remove() }
        }
    }

    /// Runs work while no other holder of this file does.
    ///
    /// - Throws: ``FileProblem``, and what the work throws.
    public func exclusively<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await PrivateFile(path).exclusively(on: clock, work)
    }
}
