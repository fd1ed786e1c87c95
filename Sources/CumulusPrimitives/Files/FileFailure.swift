// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why a file can't be made, read, written or moved; users see it as the core's `FileProblem`.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation: `make`, `write`, `move`.
    package let operation: String
    /// The file or directory.
    package let path: String
    /// The system's error number (`errno`); 0 if the system reported none.
    package let errorNumber: Int32
    /// The reason, if it is no error of the system.
    package let reason: String?

    package init(_ operation: String, _ path: String, errorNumber: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.errorNumber = errorNumber
        reason = nil
    }

    package init(_ operation: String, _ path: String, because reason: String) {
        self.operation = operation
        self.path = path
        errorNumber = 0
        self.reason = reason
    }

    /// The operation, the file, and the system's message.
    package var description: String {
        let place = "\"\(PeerText.printable(path))\""
        return "can't \(PeerText.printable(operation)) \(place): \(reason ?? String(cString: strerror(errorNumber)))"
    }
}
