// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The requests that belong to a scope or a group: those that run, and what became of the others.
final class RequestMembers: Sendable {
    private struct State {
        var running: [RequestID: RequestTicket] = [:]
        var outcomes: [RequestID: Result<Response, any Error>] = [:]
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// Whether outcomes are kept.
    private let collects: Bool

    init(collects: Bool) { self.collects = collects }

    /// Whom the requests of the current task belong to.
    @TaskLocal static var current: [RequestMembers] = []

    var count: Int { state.withLock(\.running.count) }

    /// Takes in a request; one that comes after the end is cancelled.
    func join(_ ticket: RequestTicket) {
        let isLate = state.withLock { state -> Bool in
            state.running[ticket.id] = ticket
            return state.hasEnded
        }
        if isLate { ticket.ledger.cancel(ticket) }
    }

    /// Notes what came of a request; an error that comes later takes a response's place.
    func note(_ ticket: RequestTicket, _ result: Result<Response, any Error>) {
        if collects { state.withLock { $0.outcomes[ticket.id] = result } }
    }

    /// Lets a request go.
    func leave(_ ticket: RequestTicket) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.running[ticket.id] = nil
            guard state.running.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Cancels those that run, and those that will join.
    @discardableResult
    func end() -> Int {
        let running = state.withLock { state -> [RequestTicket] in
            state.hasEnded = true
            return Array(state.running.values)
        }
        return running.count { $0.ledger.cancel($0) }
    }

    /// Waits until none runs.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state -> Bool in
                if state.running.isEmpty { return true }
                state.waiters.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// What became of the requests, in the order in which they were made.
    var outcomes: [Result<Response, any Error>] {
        state.withLock { $0.outcomes.sorted { $0.key < $1.key }.map(\.value) }
    }
}
