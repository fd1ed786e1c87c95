// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Waits until data survives a power failure.
///
/// Apple's `fsync` passes data only to the drive, which may lose it. `F_FULLFSYNC` also makes the drive write its cache
/// (fsync(2) and fcntl(2) of macOS), but file systems of other makers don't support it.
package enum StableStorage {
    /// Waits for a file's bytes and attributes, or for a directory's entries; returns false with `errno` on failure.
    package static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    /// Waits for a file's bytes; returns false with `errno` on failure.
    package static func flushBytes(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        return flush(descriptor)
        #else
        return fdatasync(descriptor) == 0
        #endif
    }
}
