// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Ends a stream whose server sends no byte for a time while a reader waits for one.
///
/// One timer watches all reads of a connection. It doesn't retain the stream.
final class SilenceWatch: Sendable {
    /// The time at which a read began, and whether the limit has passed since.
    private final class State: Sendable {
        private struct Wait {
            var since: Moment?
            var silence: Duration?
        }

        private let wait = Mutex(Wait())

        var silence: Duration? { wait.withLock(\.silence) }

        func set(_ since: Moment?) { wait.withLock { $0.since = since } }

        /// The moment for the next check; `nil` if the limit has passed.
        func check(at now: Moment, _ limit: Duration) -> Moment? {
            wait.withLock { wait in
                guard let since = wait.since else { return now + limit }
                guard since + limit <= now else { return since + limit }
                wait.silence = now - since
                return nil
            }
        }
    }

    private let state: State
    private let limit: Duration
    private let clock: any RequestClock
    private let task: Task<Void, Never>

    init(_ stream: ResponseStream, limit: Duration, on clock: any RequestClock) {
        let state = State()
        let first = clock.moment + limit
        task = Task { [weak source = stream.source] in
            var wake = first
            while (try? await clock.sleep(until: wake.instant)) != nil {
                guard let next = state.check(at: clock.moment, limit) else {
                    source?.cancel()
                    return
                }
                wake = next
            }
        }
        self.state = state
        self.limit = limit
        self.clock = clock
    }

    deinit { task.cancel() }

    /// Notes that a reader waits for bytes.
    func begin() { state.set(clock.moment) }

    /// Notes that bytes have arrived.
    func end() { state.set(nil) }

    /// The error of a read that the watch has ended; `nil` if it hasn't.
    func failure(of request: EncodedRequest) -> CumulusError? {
        guard let silence = state.silence else { return nil }
        let failure = TransportFailure.timeout(
            .idle,
            "waiting for the next byte of the event stream",
            limit: limit,
            elapsed: silence,
            fate: .unknown
        )
        return CumulusError(failure, stage: .delivery, request: request)
    }
}
