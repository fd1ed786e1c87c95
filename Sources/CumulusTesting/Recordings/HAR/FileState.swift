// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file at a path: which one it is, and how long.
struct FileState: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64
    let size: Int64

    /// No file.
    static let missing = FileState(device: 0, number: 0, size: -1)

    /// The file at a path; ``missing`` if no file is there, or it can't be read.
    init(at path: String) {
        var facts = stat()
        self = lstat(path, &facts) == 0 ? FileState(facts) : .missing
    }

    init(_ facts: stat) {
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(facts.st_ino)
        size = Int64(facts.st_size)
    }

    private init(device: UInt64, number: UInt64, size: Int64) {
        (self.device, self.number, self.size) = (device, number, size)
    }

    /// The same file with another size.
    func resized(to size: Int64) -> FileState { FileState(device: device, number: number, size: size) }
}
