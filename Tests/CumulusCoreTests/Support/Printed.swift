// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Collects what printing and dumping values shows.
final class Printed: Sendable {
    private let shown = Mutex("")

    var text: String { shown.withLock { $0 } }

    func add(_ description: String, _ value: some Any) {
        var dumped = ""
        dump(value, to: &dumped)
        shown.withLock { $0 += "\(description)\n\(dumped)\n" }
    }
}
