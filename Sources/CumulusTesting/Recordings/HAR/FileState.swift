// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file at a path: which one it is, and how long.
struct FileState: Sendable, Hashable {
    /// `nil` for no file.
    private let identity: FileIdentity?
    let size: Int64

    /// No file.
    static let missing = FileState(nil, size: 0)

    init(_ identity: FileIdentity?, size: Int64) { (self.identity, self.size) = (identity, size) }

    init(_ facts: stat) { self.init(FileIdentity(facts), size: Int64(facts.st_size)) }

    /// The file at a path; ``missing`` if no file is there, or it can't be read.
    init(at path: String) {
        var facts = stat()
        self = lstat(path, &facts) == 0 ? FileState(facts) : .missing
    }

    /// The same file with another size.
    func resized(to size: Int64) -> FileState { FileState(identity, size: size) }
}
