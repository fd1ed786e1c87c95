// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Values in the order in which they were recorded, from any task.
final class Log<Value: Sendable>: Sendable {
    private let stored = Mutex<[Value]>([])

    var values: [Value] { stored.withLock { $0 } }

    func append(_ value: Value) { stored.withLock { $0.append(value) } }
}
