// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One call, from the verb to the end of its body: the data that each part of the pipeline needs.
///
/// A class, since all of them pass it on.
final class CallContext: Sendable {
    /// The start of the call.
    let start: CallStart
    /// Its entry in the tree's list; `nil` for an exchange that several calls wait for.
    let registration: CallRegistration?
    /// Whether a store has started it, to refresh a stored response.
    let isRefresh: Bool
    /// The record of its exchanges.
    let record: CallRecord
    /// The changes that its responses made to the cookies that it sends.
    let cookieChanges = CookieChanges()
    private let hasCheckedBody = Atomic(false)

    init(_ start: CallStart, _ registration: CallRegistration?, isRefresh: Bool = false) {
        self.isRefresh = isRefresh
        self.start = start
        record = CallRecord(started: start.started)
        self.registration = registration
    }

    /// The moment when the verb was called.
    var started: Moment { start.started }
    /// The moment when the whole call must be over; `nil` without a deadline.
    var end: Moment? { start.end }
    /// The observers of its steps; `nil` without observers.
    var observation: CallObservation? { start.observation }

    /// The same call for several callers.
    ///
    /// It ends when no caller waits for it any more; each caller has its own deadline.
    var shared: CallContext { CallContext(start.endless, nil) }

    /// Whether an authorizer checks a response's body.
    ///
    /// Such a body is never assembled from several responses.
    var checksBody: Bool { hasCheckedBody.load(ordering: .relaxed) }
    func noteBodyCheck() { hasCheckedBody.store(true, ordering: .relaxed) }

    var listing: CallListing? { registration?.listing }

    /// - Throws: `CancellationError` if the call was cancelled, by its task or from outside.
    func check() throws {
        if let registration { try registration.check() } else { try Task.checkCancellation() }
    }

    /// - Throws: `CancellationError` if the call was cancelled, and the deadline's error once the deadline has passed.
    func checkTime(on clock: any RequestClock) throws {
        try check()
        if let end, clock.moment >= end { throw start.deadlineFailure(on: clock) }
    }

    /// The deadline's error instead of a `CancellationError`, if the deadline caused the cancellation.
    func overdue(_ error: any Error, on clock: any RequestClock, _ request: EncodedRequest) -> any Error {
        guard error is CancellationError, let end, clock.moment >= end else { return error }
        return start.deadlinePassed(on: clock, request)
    }

    /// Waits between two attempts; the deadline and a cancellation from outside end the wait.
    func pause(for delay: Duration, on clock: any RequestClock, before request: EncodedRequest) async throws {
        if let end, clock.moment >= end { throw start.deadlinePassed(on: clock, request) }
        guard delay > .zero else { return }
        let wake = clock.moment + delay
        let sleeper = Task { [end] in try await clock.sleep(until: min(wake, end ?? wake).instant) }
        let before = listing?.attached
        // Afterwards, a cancellation ends the body of a resumed stream again.
        defer { if let before, listing?.attach(before) == false { before.cancelExchange() } }
        if let listing, !listing.attach(Wait { sleeper.cancel() }) { sleeper.cancel() }
        try await withTaskCancellationHandler {
            try await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        if let end, end < wake { throw start.deadlinePassed(on: clock, request) }
    }

    /// Runs work that may wait and send requests, in a call that may not have its own task.
    ///
    /// A cancellation from outside ends the work, and so does the deadline, with an error that has no stage yet.
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
        // The refused response may still be delivered. Afterwards, a cancellation ends its body again.
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

/// The data of a call that is known when its verb is called.
struct CallStart: Sendable {
    /// The moment when the verb was called.
    let started: Moment
    /// The moment when the whole call must be over; `nil` without a deadline.
    let end: Moment?
    /// The observers of its steps; `nil` without observers.
    let observation: CallObservation?

    init(started: Moment, deadline: Duration?, observation: CallObservation?) {
        self.init(started: started, end: deadline.map { started + $0 }, observation: observation)
    }

    private init(started: Moment, end: Moment?, observation: CallObservation?) {
        self.started = started
        self.end = end
        self.observation = observation
    }

    /// The same without its deadline.
    var endless: CallStart { CallStart(started: started, end: nil, observation: observation) }

    /// Runs work that the transport's deadlines don't cover, such as a hook, and ends it at the deadline.
    func limited<Output: Sendable>(
        on clock: any RequestClock,
        of draft: RequestDraft,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await limited(on: clock, failing: { deadlinePassed(on: clock, draft.bare) }, work)
    }

    /// The same, with the caller's own error.
    func limited<Output: Sendable>(
        on clock: any RequestClock,
        failing error: @escaping @Sendable () -> any Error,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await withThrowingTaskGroup(of: Output.self) { group in
            group.addTask { try await work() }
            if let end {
                group.addTask {
                    try await clock.sleep(until: end.instant)
                    throw error()
                }
            }
            defer { group.cancelAll() }
            do {
                guard let output = try await group.next() else { throw CancellationError() }
                return output
            } catch {
                group.cancelAll()
                // If the work sent several requests, its own error for the deadline is that of its last request.
                guard case .failure(let own as CumulusError)? = await group.nextResult(), own.phase == .total,
                    let number = own.exchange, number > 1
                else { throw error }
                throw own
            }
        }
    }

    /// The error of a call that took too long.
    func deadlinePassed(on clock: any RequestClock, _ request: EncodedRequest) -> CumulusError {
        CumulusError(deadlineFailure(on: clock), stage: .transmission, request: request)
    }

    /// The same, without a stage.
    func deadlineFailure(on clock: any RequestClock, of work: String = "the call") -> TransportFailure {
        .timeout(
            .total,
            work,
            limit: end.map { $0 - started },
            elapsed: clock.moment - started,
            fate: .unknown
        )
    }
}

/// The registration of a running call with its tree's list, its groups and its observers.
///
/// It is checked wherever the call may be stopped, and ended once.
struct CallRegistration: Sendable {
    let listing: CallListing
    /// The groups that it belongs to; `nil` for none, as for most calls.
    private let groups: Groups?
    /// The observers of its end; `nil` without observers.
    let observation: CallObservation?

    init(listing: CallListing, members: [CallMembers], observation: CallObservation?) {
        self.listing = listing
        groups = members.isEmpty ? nil : Groups(members)
        self.observation = observation
    }

    // A class of its own: an array, even an empty one, is copied through run-time tables.
    private final class Groups: Sendable {
        let members: [CallMembers]

        init(_ members: [CallMembers]) { self.members = members }
    }

    /// Whether the request has been cancelled, by its task or from outside.
    func check() throws {
        try Task.checkCancellation()
        if listing.callList.isCancelled(listing) { throw CancellationError() }
    }

    /// Reports a response to the groups.
    func note(_ response: Response) {
        if let groups { for one in groups.members { one.note(listing, .success(response)) } }
    }

    /// Ends the request successfully.
    ///
    /// - Throws: `CancellationError` if it was cancelled from outside before that.
    func complete() throws {
        let wasCancelled = listing.callList.leave(listing)
        if let groups {
            if wasCancelled { for one in groups.members { one.note(listing, .failure(CancellationError())) } }
            for one in groups.members { one.leave(listing) }
        }
        observation?.end(with: wasCancelled ? CancellationError() : nil)
        if wasCancelled { throw CancellationError() }
    }

    /// Ends a request whose remaining bytes no reader wants.
    func drop() {
        let wasCancelled = listing.callList.leave(listing)
        if let groups { for one in groups.members { one.leave(listing) } }
        observation?.end(with: wasCancelled ? CancellationError() : nil)
    }

    /// Ends the request with an error, and returns the error to throw.
    func fail(_ error: any Error) -> any Error {
        let shown = listing.callList.leave(listing) ? CancellationError() : error
        if let groups {
            for one in groups.members {
                one.note(listing, .failure(shown))
                one.leave(listing)
            }
        }
        observation?.end(with: shown)
        return shown
    }
}
