// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import Darwin
#elseif canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#endif

/// Which file it is, whatever its names.
package struct FileIdentity: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64

    package init(_ facts: stat) {
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        inode = UInt64(truncatingIfNeeded: facts.st_ino)
    }

    /// The file that a path names, a symbolic link itself; `nil` if there is none.
    package init?(at path: FilePath) {
        var facts = stat()
        guard lstat(path.text, &facts) == 0 else { return nil }
        self.init(facts)
    }
}
