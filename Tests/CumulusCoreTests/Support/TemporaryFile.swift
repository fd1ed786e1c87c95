// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that is removed with the last reference to it.
final class TemporaryFile: Sendable {
    let path: String

    init(_ bytes: [UInt8], named name: String = "file.bin") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent(name).path
        try write(bytes)
    }

    /// Puts other bytes into the file.
    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    deinit {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}
