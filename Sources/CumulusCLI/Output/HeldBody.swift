// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// Keeps a body that is produced piece by piece.
final class HeldBody: Sendable {
    /// The body exceeds the limit.
    struct Full: Error {}

    private let bytes = Mutex<[UInt8]>([])

    /// The bytes so far.
    var all: [UInt8] { bytes.withLock { $0 } }

    /// Keeps a piece.
    func take(_ piece: ByteChunk, upTo limit: Int) throws(Full) {
        let isFull = bytes.withLock { bytes in
            guard bytes.count + piece.count <= limit else { return true }
            bytes += piece.bytes
            return false
        }
        if isFull { throw Full() }
    }
}
