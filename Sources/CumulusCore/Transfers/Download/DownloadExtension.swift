// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a download goes on with a file that is at its destination (``DownloadOptions/ExistingFile/extend``).
struct DownloadExtension: Sendable {
    /// What a file that is there makes of an answer.
    enum Found: Sendable, Hashable {
        /// It stays, and is the result.
        case found(FilePath)
        /// Its bytes are the beginning of the part file now, and the rest is asked for.
        case adopted
    }

    /// What happens to the file.
    enum Decision: Sendable, Hashable {
        case whole
        /// It is the beginning, so many bytes long.
        case continued(Int64)
        /// It is of no use, and the file that comes takes its place.
        case replaced
        case refused(CumulusError.Code, String)
    }

    /// Whether the file has been looked at.
    var isDecided = false
    /// Whether bytes of it are used.
    var isAdopted = false

    /// Compares a file with what an answer's head says.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: How long the server's is; `nil` if it doesn't tell.
    ///   - headers: The head's fields.
    ///   - isKnown: Whether the server's file has something to be known by, so that the rest can be asked for safely.
    /// - Returns: What happens to it.
    /// - Throws: ``FileProblem`` for a file that can't be looked at.
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
        // What others hold, too, can't become a part file.
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
