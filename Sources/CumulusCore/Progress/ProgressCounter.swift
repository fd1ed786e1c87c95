// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts a body's bytes and notifies the observers.
///
/// Progress that follows an event too soon is reported later, even if nothing more arrives: a stalled transfer shows
/// its latest state.
package final class ProgressCounter: Sendable {
    private struct State {
        var meter: ProgressMeter
        var trailing: Task<Void, Never>?
        var line = EventLine<TransferProgress>()
        var deliveryWaiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let observer: @Sendable (TransferProgress) -> Void
    private let clock: any RequestClock

    init(
        _ subject: ProgressMeter.Subject,
        clock: any RequestClock,
        observer: @escaping @Sendable (TransferProgress) -> Void
    ) {
        self.observer = observer
        self.clock = clock
        state = Mutex(State(meter: ProgressMeter(subject, startedAt: clock.now)))
    }

    deinit { state.withLock(\.trailing)?.cancel() }

    package func begin() { tell { $0.meter.first } }

    package func count(_ bytes: Int) {
        let now = clock.now
        tell { state in
            let event = state.meter.advance(by: bytes, at: now)
            if event == nil, state.trailing == nil { state.trailing = trailing(at: state.meter.nextReport) }
            return event
        }
    }

    package func finish() {
        let now = clock.now
        tell { state in
            state.trailing?.cancel()
            return state.meter.finish(at: now)
        }
    }

    /// Waits until no other thread is delivering an event.
    package func awaitDelivery() async {
        await withUnsafeContinuation { continuation in
            let isDelivering = state.withLock { state in
                if state.line.isTelling { state.deliveryWaiters.append(continuation) }
                return state.line.isTelling
            }
            if !isDelivering { continuation.resume() }
        }
    }

    /// Reports the latest progress at an instant.
    private func trailing(at instant: ContinuousClock.Instant) -> Task<Void, Never> {
        Task { [weak self, clock] in
            do { try await clock.sleep(until: instant) } catch { return }
            let now = clock.now
            self?.tell { state in
                state.trailing = nil
                return Task.isCancelled ? nil : state.meter.advance(by: 0, at: now)
            }
        }
    }

    /// Delivers an event that is made under the lock, after those that another thread is delivering.
    private func tell(_ make: (inout State) -> TransferProgress?) {
        var next = state.withLock { state in make(&state).flatMap { state.line.add($0) } }
        var waiters: [UnsafeContinuation<Void, Never>] = []
        while let event = next {
            observer(event)
            next = state.withLock { state in
                let next = state.line.next()
                if next == nil { swap(&waiters, &state.deliveryWaiters) }
                return next
            }
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// A response's body whose bytes are counted as they are read.
final class CountedBody: ResponseBodySource {
    private let body: ResponseBody
    private let counter: ProgressCounter

    init(_ body: ResponseBody, _ counter: ProgressCounter) {
        self.body = body
        self.counter = counter
        counter.begin()
    }

    func next() async throws -> ResponseBodyElement {
        if let chunk = try await body.next() {
            counter.count(chunk.count)
            return .bytes(chunk)
        }
        counter.finish()
        return .end(body.end ?? ExchangeEnd())
    }

    func cancel() { body.cancel() }
}
