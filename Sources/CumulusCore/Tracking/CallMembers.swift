// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The requests of a scope or a group: the running ones, and the outcomes of the others.
final class CallMembers: Sendable {
    private struct State {
        var running: [CallID: CallListing] = [:]
        var outcomes: [CallID: Result<Response, any Error>] = [:]
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// Whether outcomes are recorded.
    private let collects: Bool

    init(collects: Bool) { self.collects = collects }

    /// The scopes and groups of the current task's requests.
    @TaskLocal static var current: [CallMembers] = []

    var count: Int { state.withLock(\.running.count) }

    /// Adds a request; one that joins after the end is cancelled.
    func join(_ listing: CallListing) {
        let isLate = state.withLock { state -> Bool in
            state.running[listing.id] = listing
            return state.hasEnded
        }
        if isLate { listing.callList.cancel(listing) }
    }

    /// Records a request's outcome; a later error replaces a response.
    func note(_ listing: CallListing, _ result: Result<Response, any Error>) {
        if collects { state.withLock { $0.outcomes[listing.id] = result } }
    }

    /// Removes a request that has ended.
    func leave(_ listing: CallListing) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.running[listing.id] = nil
            guard state.running.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Cancels the running requests, and those that join later.
    @discardableResult
    func end() -> Int {
        let running = state.withLock { state -> [CallListing] in
            state.hasEnded = true
            return Array(state.running.values)
        }
        return running.count { $0.callList.cancel($0) }
    }

    /// Waits until no request is running.
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

    /// The outcomes of the requests, in the order in which the requests were made.
    var outcomes: [Result<Response, any Error>] {
        state.withLock { $0.outcomes.sorted { $0.key < $1.key }.map(\.value) }
    }
}
