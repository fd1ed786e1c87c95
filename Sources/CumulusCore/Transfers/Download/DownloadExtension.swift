// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a download continues an existing file at its destination (``DownloadOptions/ExistingFile/extend``).
struct DownloadExtension: Sendable {
    /// How an existing file affects a response.
    enum Found: Sendable, Hashable {
        /// The file stays, and is the result.
        case found(FilePath)
        /// A copy of the existing file is now the beginning of the part file, and the remaining bytes are requested.
        case adopted
    }

    /// The decision about an existing file.
    enum Decision: Sendable, Hashable {
        case whole
        /// It is the beginning of the download, with this many bytes.
        case continued(Int64)
        /// It is the beginning, with this many bytes, if its end is the server's.
        case compared(Int64)
        /// It is the beginning, with this many bytes, if the bytes that the download already has begin with them.
        case matched(Int64)
        /// It isn't used, and the new file replaces it.
        case replaced
        case refused(CumulusError.Code, String)
    }

    /// The end of an existing file is not the server's.
    struct Difference: Error, CustomStringConvertible {
        let path: String
        var description: String { "the end of the file at \(PeerText.quoted(path)) doesn't match the server's file" }
    }

    /// An existing file is not the beginning of the bytes that the download already has.
    struct Mismatch: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "\(PartFile.Exists(path: path)), and it is not the beginning of the unfinished download"
        }
    }

    /// Whether the file has been examined.
    var isDecided = false
    /// Whether its bytes are used.
    var isAdopted = false
    /// The file that was examined, the only one that the download may replace.
    private(set) var identity: FileIdentity?
    /// The number of its bytes, if the download replaces it although they may be the beginning of the server's file.
    private(set) var replaced: Int64 = 0
    /// The number of its bytes, if they are used because their end was compared.
    private var trusted: Int64 = 0

    /// How many bytes of its end are compared.
    static let overlap: Int64 = 65_536

    /// The digests that the kept file has.
    private(set) var verified: [Checksum] = []

    /// Records that the download starts over, so that it replaces the file's bytes.
    mutating func startOver() { replaced = max(replaced, trusted) }

    /// The file at a path, which is only used if it is still the one that was examined.
    func file(at path: FilePath) -> ExaminedFile { ExaminedFile(path: path, identity: identity) }

    /// Records that the file is complete, as its digest shows.
    mutating func keep(by checksum: Checksum) {
        isDecided = true
        verified = [checksum]
    }

    /// Compares a file with a response's head.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: The length of the server's file; `nil` if unknown.
    ///   - headers: The head's fields.
    ///   - startsOver: Whether the download has no bytes of its own.
    ///   - isKnown: Whether the server's file has a revision, so that the remaining bytes can be requested safely.
    ///   - digests: The digests of the server's file, which cover all bytes in the end.
    ///   - trusts: Whether the beginning is trusted without them.
    ///   - has: Whether the file at the path has them.
    /// - Returns: The decision about the file.
    /// - Throws: ``FileProblem`` for a file that can't be examined, and what `has` throws.
    mutating func decide(
        on path: FilePath,
        length: Int64?,
        _ headers: HTTPFields,
        startsOver: Bool,
        isKnown: Bool,
        digests: [Checksum],
        trusts: Bool,
        has: ([Checksum]) throws -> Bool
    ) throws -> Decision {
        isDecided = true
        var facts = stat()
        guard lstat(path.text, &facts) == 0 else { throw FileProblem("inspect", path.text) }
        let exists = PartFile.Exists(path: path.text).description
        guard facts.st_mode & S_IFMT == S_IFREG else {
            return .refused(.fileExists, "\(exists), and it is not a regular file")
        }
        identity = FileIdentity(facts)
        let size = Int64(facts.st_size)
        guard let length else {
            return .refused(.fileExists, "\(exists), and the server does not report the length of its file")
        }
        if size == length, !digests.isEmpty, try has(digests) {
            verified = digests
            return .whole
        }
        if size > length {
            return .refused(.fileExists, "\(exists), with \(size) bytes, more than the server's \(length)")
        }
        if let modified = headers[.lastModified].flatMap({ HTTPDate(parsing: $0) }),
            modified.secondsSince1970 > DownloadExtension.modified(facts)
        {
            return .refused(.remoteChanged, "the server's file is newer than the one at \(PeerText.quoted(path.text))")
        }
        // Only the lengths can be compared, and they are equal.
        if size == length, digests.isEmpty { return .whole }
        if 0 < size, size < length, startsOver, isKnown, !digests.isEmpty { return .continued(size) }
        if 0 < size, size < length, digests.isEmpty, trusts {
            guard isKnown else {
                return .refused(.remoteChanged, "\(exists), and the server reports no revision of its file")
            }
            trusted = size
            return startsOver ? .compared(size) : .matched(size)
        }
        // Without a digest, nothing shows that the bytes are this file's beginning: a mixture would go unnoticed.
        if digests.isEmpty { replaced = size }
        return .replaced
    }

    private static func modified(_ facts: stat) -> Int64 {
        #if canImport(Darwin)
        Int64(facts.st_mtimespec.tv_sec)
        #else
        Int64(facts.st_mtim.tv_sec)
        #endif
    }
}
