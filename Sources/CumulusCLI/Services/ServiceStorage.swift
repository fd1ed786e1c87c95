// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the file system says of service files.
enum ServiceStorage {
    /// Whether there is a file.
    static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The names of what is in a folder; none where there is no folder.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// A path from the root.
    static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        let own = path.utf8.starts(with: "./".utf8) ? path.utf8.dropFirst(2).text : path
        return "\(FileManager.default.currentDirectoryPath)/\(own)"
    }

    /// Makes a folder that only the user may look into, with those above it.
    static func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
