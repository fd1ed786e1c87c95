// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Access to the files of services.
enum ServiceStorage {
    /// Whether there is a file.
    static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The names of a folder's entries; none if it doesn't exist.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// An absolute path.
    static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        let own = path.utf8.starts(with: "./".utf8) ? path.utf8.dropFirst(2).text : path
        return "\(FileManager.default.currentDirectoryPath)/\(own)"
    }

    /// Creates a folder that only the user may access, including missing parents.
    static func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
