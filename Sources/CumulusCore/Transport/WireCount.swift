// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many bytes of an encoded body have been received, shared by all its codings and its reader.
final class WireCount: Sendable {
    private let count = Mutex<Int64>(0)

    var value: Int64 { count.withLock { $0 } }

    func add(_ bytes: Int) { count.withLock { $0 += Int64(bytes) } }

    /// Why a decoded body may not go on, filling the memory with nearly nothing; `nil` if it may.
    ///
    /// 12 MiB, an eighth of the default limit, are harmless, so that a bomb takes little memory. Even lists of equal
    /// objects seldom reach a ratio of 200; a bomb of gzip has 1,000.
    func excess(of decoded: Int) -> String? {
        guard decoded > 12 << 20, Int64(decoded) / 200 > value else { return nil }
        return "inflates to more than 12 MiB in memory, and to more than 200 times the bytes received so far"
    }
}
