// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is removed when the last reference to it goes.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "cumulus-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, making the folders above it, and tells its path.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let whole = "\(path)/\(name)"
        let folder = String(whole[..<(whole.lastIndex(of: "/") ?? whole.endIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: whole))
        return whole
    }

    /// Writes a text.
    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }
}
