// SPDX-License-Identifier: Apache-2.0

/// Stage 3e, authorized request -> head and unread body: hands the request and its deadlines to the transport.
struct Transmission: Sendable {
    let transport: any Transport
    let clock: any RequestClock
    private let timeout: Duration?
    private let timeouts: Timeouts
    private let deadline: Duration?

    init(transport: any Transport, settings: SettingsSnapshot.Values) {
        self.transport = transport
        clock = settings.value(ClockKey.self)
        timeout = settings.value(TimeoutKey.self)
        timeouts = settings.value(TimeoutsKey.self)
        deadline = settings.value(DeadlineKey.self)
    }

    /// Makes one attempt; the deadline counts from the call's start, over all attempts.
    func send(_ request: EncodedRequest, started: ContinuousClock.Instant) async throws -> TransportResponse {
        let outgoing = TransportRequest(
            method: request.method,
            origin: request.origin,
            target: request.target,
            headers: request.headers,
            body: request.body,
            deadlines: TransportDeadlines(
                poolWait: timeouts.poolWait,
                connect: timeouts.connect,
                idle: timeout,
                total: deadline.map { started + $0 }
            ),
            clock: clock
        )
        return try await Stage.run(.transmission, .transport, request: request) { try await transport.send(outgoing) }
    }
}
