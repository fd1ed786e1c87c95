// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The combined progress of several transfers.
///
/// ```swift
/// let sum = ProgressSum()
/// async let shown: Void = { for await event in sum.events { show(event) } }()
/// let watched = site.with { $0.observers.append(sum.observer()) }
/// async let one = watched["a"].download(to: here)
/// async let two = watched["b"].put(.file(file))
/// _ = try await (one, two)
/// sum.finish()
/// ```
public final class ProgressSum: Sendable {
    private struct State {
        var meter: SumMeter
        var streams: [Int: AsyncStream<Event>.Continuation] = [:]
        var nextStream = 0
        var latest: Event?
        var trailing: Task<Void, Never>?
        var line = EventLine<Event>()
    }

    private let clock: any RequestClock
    private let closure: (@Sendable (Event) -> Void)?
    private let state: Mutex<State>

    /// Makes an empty sum.
    ///
    /// - Parameters:
    ///   - clock: The clock for the rate.
    ///   - progress: Gets the combined progress, where the bytes are processed; it must return quickly.
    public init(clock: any RequestClock = SystemClock(), progress: (@Sendable (Event) -> Void)? = nil) {
        self.clock = clock
        closure = progress
        state = Mutex(State(meter: SumMeter(startedAt: clock.now)))
    }

    deinit { finish() }

    /// Makes an observer for another transfer; each transfer needs its own.
    ///
    /// If both bodies of a request report progress, it follows the first that does. When a transfer starts over, its
    /// earlier bytes are subtracted.
    public func observer() -> CallObserver { .progress(listener()) }

    /// Adds a transfer.
    func listener() -> @Sendable (TransferProgress) -> Void {
        let member = state.withLock { $0.meter.add() }
        return { [weak self] event in self?.note(event, of: member) }
    }

    /// The combined progress: the latest event immediately, then at most 10 a second, and the last at ``finish()``.
    public var events: AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let number = state.withLock { state -> Int? in
                if let latest = state.latest { continuation.yield(latest) }
                guard state.meter.isOpen else { return nil }
                state.nextStream += 1
                state.streams[state.nextStream] = continuation
                return state.nextStream
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
        }
    }

    /// Ends the sum: the last event is delivered, and later progress is ignored.
    public func finish() {
        let now = clock.now
        tell { state in
            state.trailing?.cancel()
            return state.meter.finish(at: now)
        }
    }

    private func note(_ event: TransferProgress, of member: Int) {
        let now = clock.now
        tell { state in
            let sum = state.meter.note(event, of: member, at: now)
            if sum == nil, state.trailing == nil, let instant = state.meter.nextReport {
                state.trailing = trailing(at: instant)
            }
            return sum
        }
    }

    /// Reports the latest progress at an instant.
    private func trailing(at instant: ContinuousClock.Instant) -> Task<Void, Never> {
        Task { [weak self, clock] in
            do { try await clock.sleep(until: instant) } catch { return }
            let now = clock.now
            self?.tell { state in
                state.trailing = nil
                return Task.isCancelled ? nil : state.meter.rest(at: now)
            }
        }
    }

    /// Delivers an event that is made under the lock, after those that another thread is delivering.
    private func tell(_ make: (inout State) -> Event?) {
        var next = state.withLock { state in
            make(&state).flatMap { event in
                state.latest = event
                return state.line.add(event)
            }
        }
        while let event = next {
            closure?(event)
            let streams = state.withLock { state in
                defer { if event.isFinished { state.streams = [:] } }
                return state.streams.values
            }
            for stream in streams {
                stream.yield(event)
                if event.isFinished { stream.finish() }
            }
            next = state.withLock { $0.line.next() }
        }
    }
}

extension ProgressSum {
    /// The combined progress of several transfers.
    public struct Event: Sendable, Hashable {
        /// The number of transfers.
        public let transfers: Int
        /// The number of completed transfers.
        public let finishedTransfers: Int
        /// Bytes so far.
        public let completed: Int64
        /// The total number of bytes; `nil` while one of the transfers hasn't reported its own.
        public let total: Int64?
        /// The time since the sum was made.
        public let elapsed: Duration
        /// The bytes per second of all transfers, weighted towards the latest; 0 before there is a rate.
        public let bytesPerSecond: Double
        /// Whether this is the last event.
        public let isFinished: Bool

        /// From 0 to 1; `nil` while the total is unknown.
        public var fractionCompleted: Double? {
            guard let total, total > 0 else { return nil }
            return min(1, Double(completed) / Double(total))
        }

        /// The remaining time at the current rate; `nil` if unknown.
        public var timeRemaining: Duration? {
            guard let total, bytesPerSecond > 0, total >= completed else { return nil }
            let seconds = (Double(total) - Double(completed)) / bytesPerSecond
            return seconds < 1e12 ? .seconds(seconds) : nil
        }
    }
}
