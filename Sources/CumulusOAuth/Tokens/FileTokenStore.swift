// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// Stores a token in a file that only its owner can read, and that several processes may share.
///
/// The file is replaced atomically. Its mode is 0600, and a directory created for it has mode 0700. During a renewal,
/// an empty file next to it, with the suffix `.lock`, is locked (`flock`): one process renews the token, and the others
/// use the new one. A file that others can read is refused. The token is not encrypted.
public struct FileTokenStore: TokenStore {
    private let path: FilePath
    private let clock: any RequestClock
    private let queue = DiskQueue("cumulus.tokens")

    /// Creates a store for a file, which need not exist.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - clock: The clock for waiting while another process renews the token.
    public init(_ file: some Locator, clock: any RequestClock = SystemClock()) {
        path = FilePath(file.locatorText)
        self.clock = clock
    }

    /// Reads the token; `nil` if there is no file, or no token in it.
    ///
    /// - Throws: `FileProblem` for a file that can't be read, belongs to another user, or may be read by others.
    public func token() async throws -> OAuth2Token? {
        let bytes = try await FileTokenStore.naming { try await queue.run { [path] in try PrivateFile(path).read() } }
        return bytes.flatMap { OAuth2Token(decoding: $0) }
    }

    /// Replaces the file with the token, or removes it.
    ///
    /// - Throws: `FileProblem`.
    public func keep(_ token: OAuth2Token?) async throws {
        try await FileTokenStore.naming {
            try await queue.run { [path] in
                let file = PrivateFile(path)
                if let token { try file.write(token.encoded()) } else { try file.remove() }
            }
        }
    }

    /// Runs work while holding this file's lock.
    ///
    /// - Throws: `FileProblem`, and any error that the work throws.
    public func exclusively<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await FileTokenStore.naming {
            try await PrivateFile(path).exclusively(now: { clock.now }, sleep: clock.sleep(until:), work)
        }
    }

    /// Does work with the file, whose failures become problems.
    private static func naming<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let failure as FileFailure {
            guard let reason = failure.reason else {
                throw FileProblem(failure.operation, failure.path, errorNumber: failure.errorNumber)
            }
            throw FileProblem(failure.operation, failure.path, because: reason)
        }
    }
}
