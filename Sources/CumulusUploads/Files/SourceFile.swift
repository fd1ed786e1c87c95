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
    /// The cause of an error if the file has changed, but not if it can't be read.
    struct Change: Error {}

    /// The path from the root.
    let path: String
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// The modification time in nanoseconds since 1970.
    let modified: Int64
    /// The time of the last change of its state, which programs can't set; 0 on Apple's systems, where opening a file
    /// may change it.
    var changed: Int64

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
        (modified, changed) = (SourceFile.nanoseconds(facts.st_mtimespec), 0)
        #else
        (modified, changed) = (SourceFile.nanoseconds(facts.st_mtim), SourceFile.nanoseconds(facts.st_ctim))
        #endif
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }

    /// The last component of the path.
    var name: String { FilePath(path).name }

    /// Checks that the file is still as it was found.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.requestBody`.
    func check() throws {
        let current = try SourceFile(at: path)
        if current != self {
            let reason = "changed while it was being uploaded; the next upload starts over"
            throw SourceFile.problem(path, reason, cause: Change())
        }
    }

    /// Whether the file is known to have changed; false if it can't be examined.
    var hasChanged: Bool {
        do { try check() } catch { return (error as? CumulusError)?.cause is Change }
        return false
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

    private static func problem(_ path: String, _ reason: String, cause: (any Error)? = nil) -> CumulusError {
        CumulusError(.requestBody, stage: .encoding, "the file \(PeerText.quoted(path)) \(reason)", cause: cause)
    }
}
