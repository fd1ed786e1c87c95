// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// One origin on one event loop: its pool and the attempts to connect that are under way.
final class OriginSlot {
    let origin: Origin
    var pool: OriginPool<HTTP1Connection, Exchange>
    var attempts: [Int: ConnectionAttempt] = [:]

    init(origin: Origin, maximum: Int) {
        self.origin = origin
        self.pool = OriginPool(maximum: maximum)
    }
}
