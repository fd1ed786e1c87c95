// SPDX-License-Identifier: Apache-2.0

/// The data of a call that is known when its verb is called.
struct CallStart: Sendable {
    /// When the verb was called.
    let started: Moment
    /// When the whole call must be over; `nil` if nothing limits it.
    let end: Moment?
    /// The observers of its steps; `nil` if there are none.
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
            guard let output = try await group.next() else { throw CancellationError() }
            return output
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
