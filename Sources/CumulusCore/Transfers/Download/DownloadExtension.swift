// SPDX-License-Identifier: Apache-2.0

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
    /// How an existing file affects an answer.
    enum Found: Sendable, Hashable {
        /// The file stays, and is the result.
        case found(FilePath)
        /// Its bytes are now the beginning of the part file, and the rest is requested.
        case adopted
    }

    /// The decision about an existing file.
    enum Decision: Sendable, Hashable {
        case whole
        /// It is the beginning of the download, with this many bytes.
        case continued(Int64)
        /// It is useless, and the new file replaces it.
        case replaced
        case refused(CumulusError.Code, String)
    }

    /// Whether the file has been examined.
    var isDecided = false
    /// Whether its bytes are used.
    var isAdopted = false

    /// Compares a file with an answer's head.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: The length of the server's file; `nil` if unknown.
    ///   - headers: The head's fields.
    ///   - isKnown: Whether the server's file has a revision, so that the rest can be requested safely.
    /// - Returns: The decision about the file.
    /// - Throws: ``FileProblem`` for a file that can't be examined.
    static func decision(
        on path: FilePath,
        length: Int64?,
        _ headers: HTTPFields,
        isKnown: Bool
    ) throws(FileProblem) -> Decision {
        var facts = stat()
        guard lstat(path.text, &facts) == 0 else { throw FileProblem("look at", path.text) }
        let exists = PartFile.Exists(path: path.text).description
        guard facts.st_mode & S_IFMT == S_IFREG else {
            return .refused(.fileExists, "\(exists), and it is not a regular file")
        }
        let size = Int64(facts.st_size)
        guard let length else {
            return .refused(.fileExists, "\(exists), and the server does not say how long its own is")
        }
        if size == length { return .whole }
        if size > length {
            return .refused(.fileExists, "\(exists), with \(size) bytes, and the server's has only \(length)")
        }
        if let modified = headers[.lastModified].flatMap({ HTTPDate(parsing: $0) }),
            modified.secondsSince1970 > DownloadExtension.modified(facts)
        {
            return .refused(.remoteChanged, "the server's file is newer than the one at \(RequestURL.quote(path.text))")
        }
        // A file with other owners or other names can't become a part file.
        let isOwn = facts.st_uid == geteuid() && facts.st_nlink == 1
        return size == 0 || !isKnown || !isOwn ? .replaced : .continued(size)
    }

    private static func modified(_ facts: stat) -> Int64 {
        #if canImport(Darwin)
        Int64(facts.st_mtimespec.tv_sec)
        #else
        Int64(facts.st_mtim.tv_sec)
        #endif
    }
}
