// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One call of a verb, from its start to the end of its body: the data that each stage needs.
///
/// A class, since all stages pass it on.
final class CallContext: Sendable {
    /// The start of the call.
    let start: CallStart
    /// Its entry in the tree's list; `nil` for an exchange that several calls wait for.
    let registration: RequestRegistration?
    /// Whether a store has begun it, for a newer response than it has.
    let isRefresh: Bool
    private let hasCheckedBody = Atomic(false)

    init(_ start: CallStart, _ registration: RequestRegistration?, isRefresh: Bool = false) {
        self.isRefresh = isRefresh
        self.start = start
        self.registration = registration
    }

    /// When the verb was called.
    var started: Moment { start.started }
    /// When the whole call must be over; `nil` if nothing limits it.
    var end: Moment? { start.end }
    /// The observers of its steps; `nil` if there are none.
    var observation: CallObservation? { start.observation }

    /// The same call for several callers: it ends when none of them waits any more, each by its own deadline.
    var shared: CallContext { CallContext(start.endless, nil) }

    /// Whether an authorizer checks a response's body, which is then never put together from several responses.
    var checksBody: Bool { hasCheckedBody.load(ordering: .relaxed) }
    func noteBodyCheck() { hasCheckedBody.store(true, ordering: .relaxed) }

    var listing: CallListing? { registration?.listing }

    /// - Throws: `CancellationError` if the call was cancelled, by its task or from outside.
    func check() throws {
        if let registration { try registration.check() } else { try Task.checkCancellation() }
    }

    /// Waits between two attempts; the deadline and a cancellation from outside end the wait.
    func pause(for delay: Duration, on clock: any RequestClock, before request: EncodedRequest) async throws {
        if let end, clock.moment >= end { throw start.deadlinePassed(on: clock, request) }
        guard delay > .zero else { return }
        let wake = clock.moment + delay
        let sleeper = Task { [end] in try await clock.sleep(until: min(wake, end ?? wake).instant) }
        let before = listing?.attached
        // A stream that is resumed is ended by its body again.
        defer { if let before, listing?.attach(before) == false { before.cancelExchange() } }
        if let listing, !listing.attach(Wait { sleeper.cancel() }) { sleeper.cancel() }
        try await withTaskCancellationHandler {
            try await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        if let end, end < wake { throw start.deadlinePassed(on: clock, request) }
    }

    /// Runs work that may wait, and send requests, in a call that may have no task of its own: a cancellation from
    /// outside ends it, and so does the deadline, with an error that has no stage yet.
    func waiting<Output: Sendable>(
        on clock: any RequestClock,
        for request: EncodedRequest,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let task = Task { [start] in
            try await CallNesting.run(request) {
                try await start.limited(on: clock, failing: { start.deadlineFailure(on: clock) }, work)
            }
        }
        let before = listing?.attached
        if let listing, !listing.attach(Wait { task.cancel() }) { task.cancel() }
        // A response that was refused meanwhile may be delivered: a cancellation ends its body again.
        defer { if let before, listing?.attach(before) == false { before.cancelExchange() } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private final class Wait: CancellableExchange {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        func cancelExchange() { end() }
    }
}
