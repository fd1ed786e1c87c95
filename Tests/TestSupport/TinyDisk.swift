// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file system in memory of a given size, which only root can make on Linux.
package final class TinyDisk: Sendable {
    package static let isPossible: Bool = {
        #if os(Linux)
        return (try? TinyDisk(kilobytes: 64)) != nil
        #else
        return false
        #endif
    }()

    package let path: String

    package init(kilobytes: Int) throws {
        path = NSTemporaryDirectory() + "cumulus-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try TinyDisk.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
    }

    deinit {
        try? TinyDisk.run("umount", ["-l", path])
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Has nobody write to it any more.
    package func makeReadOnly() throws { try TinyDisk.run("mount", ["-o", "remount,ro", path]) }

    private struct Failed: Error {}

    private static func run(_ name: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/\(name)")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Failed() }
    }
}
