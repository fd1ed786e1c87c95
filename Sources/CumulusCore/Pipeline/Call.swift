// SPDX-License-Identifier: Apache-2.0

/// One call of a verb, from its start to the end of its body: what each stage must know of it.
struct Call: Sendable {
    /// When the verb was called.
    let started: Moment
    /// When the whole of it must be over; `nil` where nothing limits it.
    private(set) var end: Moment?
    /// Its place on the tree's list; `nil` for an exchange that several calls wait for.
    private(set) var registration: RequestRegistration?
    /// Who is told of its steps; `nil` where nobody is.
    let observation: CallObservation?

    init(started: Moment, deadline: Duration?, observation: CallObservation?) {
        self.started = started
        end = deadline.map { started + $0 }
        self.observation = observation
    }

    /// The same call, on its tree's list.
    func tracked(by registration: RequestRegistration) -> Call {
        var call = self
        call.registration = registration
        return call
    }

    /// The same call for others, too: it ends when nobody waits for it any more, each of them by its own deadline.
    var shared: Call {
        var call = self
        call.registration = nil
        call.end = nil
        return call
    }

    var ticket: RequestTicket? { registration?.ticket }

    /// - Throws: `CancellationError` if the call was cancelled, by its task or from outside.
    func check() throws {
        if let registration { try registration.check() } else { try Task.checkCancellation() }
    }

    /// Waits between two attempts; the deadline and a cancel from outside end the wait.
    func pause(for delay: Duration, on clock: any RequestClock, before request: EncodedRequest) async throws {
        if let end, clock.moment >= end { throw deadlinePassed(on: clock, request) }
        guard delay > .zero else { return }
        let wake = clock.moment + delay
        let sleeper = Task { [end] in try await clock.sleep(until: min(wake, end ?? wake).instant) }
        if let ticket, !ticket.attach(Wait { sleeper.cancel() }) { sleeper.cancel() }
        try await withTaskCancellationHandler {
            try await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        if let end, end < wake { throw deadlinePassed(on: clock, request) }
    }

    /// Runs work that the transport's deadlines don't reach, such as a hook, and ends it at the deadline.
    func limited<Output: Sendable>(
        on clock: any RequestClock,
        of draft: RequestDraft,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await limited(on: clock, failing: { deadlinePassed(on: clock, draft.bare) }, work)
    }

    /// Runs work that waits now and then, of a call that may have no task of its own: a cancel from outside ends it, and
    /// so does the deadline, by an error that has no stage yet.
    func waiting<Output: Sendable>(
        on clock: any RequestClock,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let task = Task { try await limited(on: clock, failing: { deadlineFailure(on: clock) }, work) }
        if let ticket, !ticket.attach(Wait { task.cancel() }) { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func limited<Output: Sendable>(
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
            guard let output = try await group.next() else { throw CancellationError() }
            return output
        }
    }

    private func deadlinePassed(on clock: any RequestClock, _ request: EncodedRequest) -> CumulusError {
        CumulusError(deadlineFailure(on: clock), stage: .transmission, request: request)
    }

    private func deadlineFailure(on clock: any RequestClock) -> TransportFailure {
        let limit = end.map { $0 - started }
        return TransportFailure(
            .timeout(.total),
            "the call took longer than its deadline, \(limit.map { "\($0)" } ?? "which has passed")",
            sent: .something,
            limit: limit,
            elapsed: clock.moment - started
        )
    }

    private final class Wait: CancellableExchange {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        func cancelExchange() { end() }
    }
}
