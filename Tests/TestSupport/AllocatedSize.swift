// SPDX-License-Identifier: Apache-2.0

// Without Foundation: with it, the compiler may take the file system's types for CoreFoundation's.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How many bytes of disk a file takes; `nil` if there is none.
package func allocatedBytes(of path: String) -> Int64? {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int64(facts.st_blocks) * 512 : nil
}
