// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many bytes of an encoded body have been received, shared by all its codings and its reader.
final class WireCount: Sendable {
    private let count = Mutex<Int64>(0)

    var value: Int64 { count.withLock { $0 } }

    func add(_ bytes: Int) { count.withLock { $0 += Int64(bytes) } }
}
