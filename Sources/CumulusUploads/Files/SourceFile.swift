// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file of an upload and the state in which it was found.
struct SourceFile: Sendable, Hashable, Codable {
    /// The path from the root.
    let path: String
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// The modification time in nanoseconds since 1970.
    let modified: Int64

    /// Examines a file.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.requestBody` if it is missing or not a regular file.
    init(at path: String) throws {
        let absolute = FilePath(path).absolute ?? path
        var facts = stat()
        guard !path.utf8.contains(0), stat(absolute, &facts) == 0 else {
            let code = path.utf8.contains(0) ? EINVAL : errno
            throw SourceFile.problem(path, "can't be read: \(String(cString: strerror(code)))")
        }
        guard facts.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
            throw SourceFile.problem(path, "is not a regular file")
        }
        let identity = FileIdentity(facts)
        self.path = absolute
        (device, inode, size) = (identity.device, identity.inode, Int64(facts.st_size))
        #if canImport(Darwin)
        let time = facts.st_mtimespec
        #else
        let time = facts.st_mtim
        #endif
        modified = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }

    /// The last component of the path.
    var name: String { FilePath(path).name }

    /// Checks that the file is still as it was found.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.requestBody`.
    func check() throws {
        let current = try SourceFile(at: path)
        if current != self {
            throw SourceFile.problem(path, "changed while it was uploaded; the next upload starts over")
        }
    }

    /// The digest of a range.
    func digest(of range: Range<Int64>, by algorithm: MessageDigest.Algorithm) throws -> [UInt8] {
        var digest = MessageDigest(algorithm)
        do {
            let file = try OpenedFile(path)
            var position = range.lowerBound
            while position < range.upperBound {
                try Task.checkCancellation()
                let piece = try file.read(at: position, count: Int(min(256 << 10, range.upperBound - position)))
                guard !piece.isEmpty else {
                    throw SourceFile.problem(path, "ended \(range.upperBound - position) bytes too early")
                }
                piece.withUnsafeBytes { digest.update($0) }
                position += Int64(piece.count)
            }
        } catch let refusal as OpenedFile.Refusal {
            throw SourceFile.problem(refusal.path, refusal.reason)
        }
        return digest.bytes
    }

    private static func problem(_ path: String, _ reason: String) -> CumulusError {
        CumulusError(.requestBody, stage: .encoding, "the file \(PeerText.quoted(path)) \(reason)")
    }
}
