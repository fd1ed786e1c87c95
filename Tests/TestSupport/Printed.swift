// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Collects what printing and dumping values shows.
package final class Printed: Sendable {
    private let shown = Mutex("")

    package init() {}

    package var text: String { shown.withLock { $0 } }

    package func add(_ description: String, _ value: some Any) {
        var dumped = ""
        dump(value, to: &dumped)
        shown.withLock { $0 += "\(description)\n\(dumped)\n" }
    }
}
