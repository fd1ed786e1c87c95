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

/// A file that is deleted with its owner, unless it was moved elsewhere.
final class TemporaryFile: Sendable {
    let path: FilePath
    private let identity: FileIdentity?
    private let isOwned = Mutex(true)

    init(_ path: FilePath) {
        self.path = path
        identity = FileIdentity(at: path)
    }

    deinit { if isOwned.withLock(\.self), FileIdentity(at: path) == identity { unlink(path.text) } }

    /// Moves the file to a permanent place; to another file system it is copied.
    func move(to target: FilePath, replacing: Bool) throws {
        try isOwned.withLock { isOwned in
            guard isOwned else { throw FileProblem("move", path.text, because: "it has already been moved") }
            guard FileIdentity(at: path) == identity else {
                throw FileProblem("move", path.text, because: "it was replaced or removed")
            }
            try TemporaryFile.move(path, to: target, replacing: replacing)
            isOwned = false
        }
    }

    /// Moves any file; it stays where it is if that fails.
    static func move(_ path: FilePath, to target: FilePath, replacing: Bool) throws {
        let part = try PartFile(finished: path)
        do {
            _ = try part.commit(to: target, replacing ? .replace : .refuse)
        } catch let problem as FileProblem where problem.errorNumber == EXDEV {
            try copy(part, to: target, replacing: replacing)
            part.discard()
        }
    }

    private static func copy(_ source: PartFile, to target: FilePath, replacing: Bool) throws {
        let copy = try PartFile(DownloadTarget.part(of: target))
        do {
            try copy.truncate(to: 0)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
            defer { buffer.deallocate() }
            var position: Int64 = 0
            while true {
                let count = try source.read(into: buffer, at: position)
                if count == 0 { break }
                try copy.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
                position += Int64(count)
            }
            try copy.sync()
            _ = try copy.commit(to: target, replacing ? .replace : .refuse)
        } catch {
            copy.discard()
            throw error
        }
    }
}
