// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A tally to which concurrent tasks add their requests.
final class SharedTally: Sendable {
    private let tally = Mutex(Tally())

    var contents: Tally { tally.withLock { $0 } }

    func add(_ bytes: Int, latency: UInt64) {
        tally.withLock {
            $0.bytes += bytes
            $0.latencies.append(latency)
        }
    }
}
