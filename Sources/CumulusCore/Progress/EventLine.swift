// SPDX-License-Identifier: Apache-2.0

/// Events in the order in which they were made: whoever finds nobody telling tells them all, outside the lock.
struct EventLine<Event: Sendable>: Sendable {
    private var waiting: [Event] = []
    private var isTelling = false

    /// Adds an event; it is returned where the caller is to tell it, and then those of ``next()``.
    mutating func add(_ event: Event) -> Event? {
        if isTelling {
            waiting.append(event)
            return nil
        }
        isTelling = true
        return event
    }

    /// What to tell next; `nil` if nothing has come meanwhile.
    mutating func next() -> Event? {
        if waiting.isEmpty {
            isTelling = false
            return nil
        }
        return waiting.removeFirst()
    }
}
