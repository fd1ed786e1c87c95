// SPDX-License-Identifier: Apache-2.0

/// A queue of events: a thread that finds no other delivering delivers them all, outside the lock.
struct EventLine<Event: Sendable>: Sendable {
    private var waiting: [Event] = []
    /// Whether a thread is delivering events.
    private(set) var isTelling = false

    /// Adds an event; it is returned if the caller must deliver it, and then those of ``next()``.
    mutating func add(_ event: Event) -> Event? {
        if isTelling {
            waiting.append(event)
            return nil
        }
        isTelling = true
        return event
    }

    /// The next event to deliver; `nil` if there is none.
    mutating func next() -> Event? {
        if waiting.isEmpty {
            isTelling = false
            return nil
        }
        return waiting.removeFirst()
    }
}
