// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The events of a session that no loop has received yet.
final class EventQueue: Sendable {
    private enum Item {
        case event(BackgroundEvent)
        /// Work that waits until the events before it have been handled.
        case work(@Sendable () -> Void)
    }

    private struct State {
        var items: [Item] = []
        var waiting: [(number: Int, continuation: CheckedContinuation<BackgroundEvent?, Never>)] = []
        var lastNumber = 0
        var readers = 0

        /// Takes the work at the front.
        mutating func takeWork() -> [@Sendable () -> Void] {
            var works: [@Sendable () -> Void] = []
            while case .work(let work)? = items.first {
                works.append(work)
                items.removeFirst()
            }
            return works
        }
    }

    private let state = Mutex(State())

    /// Adds an event; a transfer's progress replaces its progress that was not received yet.
    func add(_ event: BackgroundEvent) {
        let waiting: CheckedContinuation<BackgroundEvent?, Never>? = state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            if case .progress(let transfer, _) = event {
                state.items.removeAll { item in
                    if case .event(.progress(transfer, _)) = item { true } else { false }
                }
            }
            state.items.append(.event(event))
            return nil
        }
        waiting?.resume(returning: event)
    }

    /// Does work once the events so far have been handled; at once if no loop reads them.
    func afterEvents(_ work: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.readers == 0 || !state.waiting.isEmpty { return true }
            state.items.append(.work(work))
            return false
        }
        if isIdle { work() }
    }

    /// A loop begins to read.
    func enter() { state.withLock { $0.readers += 1 } }

    /// A loop ends; after the last one, work doesn't wait for events.
    func leave() {
        let works = state.withLock { state -> [@Sendable () -> Void] in
            state.readers -= 1
            guard state.readers == 0 else { return [] }
            let works = state.items.compactMap { item in if case .work(let work) = item { work } else { nil } }
            state.items.removeAll { if case .work = $0 { true } else { false } }
            return works
        }
        for work in works { work() }
    }

    /// The next event; `nil` if the task is cancelled.
    func next() async -> BackgroundEvent? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (works, event): ([@Sendable () -> Void], BackgroundEvent??) = state.withLock { state in
                    // The events before it have been handled.
                    let works = state.takeWork()
                    if Task.isCancelled { return (works, .some(nil)) }
                    if case .event(let event)? = state.items.first {
                        state.items.removeFirst()
                        return (works, event)
                    }
                    state.waiting.append((number, continuation))
                    return (works, nil)
                }
                for work in works { work() }
                if let event { continuation.resume(returning: event) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            waiting?.resume(returning: nil)
        }
    }
}
