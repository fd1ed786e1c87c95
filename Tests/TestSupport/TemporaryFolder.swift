// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is removed when the last reference to it goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "cumulus-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, making the folders above it, and tells its path.
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let whole = "\(path)/\(name)"
        let folder = String(whole[..<(whole.lastIndex(of: "/") ?? whole.endIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: whole))
        return whole
    }

    /// Writes a text.
    package func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// The names of what is there.
    package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// The name of the unfinished file of a download to this name; `nil` if there is none.
    package func unfinished(_ name: String) -> String? {
        names.first { $0.hasPrefix(".\(name).") && $0.hasSuffix(".part") }
    }

    /// Whether there is nothing but the unfinished file of a download to this name, and its record.
    package func hasOnlyUnfinished(_ name: String) -> Bool {
        unfinished(name).map { names == [$0, $0 + ".json"] } ?? false
    }

    /// The bytes of a file.
    package func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }
}
