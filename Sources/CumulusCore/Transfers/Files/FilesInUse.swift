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

/// The files of downloads that run together: what one of them made or kept is never another's.
///
/// Their servers choose the names, perhaps the same one; no length or date shows whether a file was there before or one
/// of these downloads has just made it.
package final class FilesInUse: Sendable {
    /// Another of the downloads has the file.
    package struct Taken: Error, CustomStringConvertible {
        let path: String
        package var description: String {
            "another URL in this run has already been saved to, or matched with, the file \(PeerText.quoted(path))"
        }
    }

    /// The paths of each file: it may have several names.
    private let filesInUse = Mutex<[FileIdentity: Set<String>]>([:])

    /// Creates a list without files.
    package init() {}

    /// Checks that a path doesn't name another download's file.
    ///
    /// - Throws: ``Taken``.
    func check(_ path: FilePath) throws { try filesInUse.withLock { try FilesInUse.check(path, $0) } }

    /// Notes an existing file as the result of one download.
    ///
    /// - Throws: ``Taken``.
    func keep(_ path: FilePath) throws {
        try filesInUse.withLock { filesInUse in
            try FilesInUse.check(path, filesInUse)
            FilesInUse.note(path, &filesInUse)
        }
    }

    /// Moves a file to its name, unless this would replace another download's, and notes it.
    ///
    /// - Parameters:
    ///   - target: The name.
    ///   - move: Moves it, and returns its name.
    /// - Returns: That name.
    /// - Throws: ``Taken``, and what `move` throws.
    func commit(to target: FilePath, _ move: () throws -> FilePath) throws -> FilePath {
        // Two may arrive at once; the second must find the first one's file.
        try filesInUse.withLock { filesInUse in
            try FilesInUse.check(target, filesInUse)
            let path = try move()
            FilesInUse.note(path, &filesInUse)
            return path
        }
    }

    private static func check(_ path: FilePath, _ filesInUse: [FileIdentity: Set<String>]) throws {
        var facts = stat()
        guard lstat(path.text, &facts) == 0, let paths = filesInUse[FileIdentity(facts)] else { return }
        // With one name it is the same file, even if the file system spells the name otherwise.
        if facts.st_nlink == 1 || paths.contains(path.text) { throw Taken(path: path.text) }
    }

    private static func note(_ path: FilePath, _ filesInUse: inout [FileIdentity: Set<String>]) {
        if let identity = FileIdentity(at: path) { filesInUse[identity, default: []].insert(path.text) }
    }
}
