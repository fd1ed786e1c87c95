// SPDX-License-Identifier: Apache-2.0

import CumulusCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The whole of a file as a body.
func fileBody(_ path: String?) throws -> FileBody {
    var status = stat()
    guard let path, stat(path, &status) == 0 else { throw TransportFailure(.invalidUse, "no file to upload") }
    return FileBody(path: path, length: Int64(status.st_size))
}
