// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import Synchronization

/// A clock that doesn't advance until a test advances it.
///
/// Used instead of the system's clock, it makes deadlines, backoff and limits exact: start the work, wait with
/// ``waitForSleepers(_:within:)`` until it sleeps, then ``advance(by:)``.
public final class ManualClock: RequestClock {
    /// The error thrown if too few tasks go to sleep within the limit of real time.
    public struct TooFewSleepers: Error, CustomStringConvertible {
        /// The number of sleepers that were expected.
        public let wanted: Int
        /// The number of sleepers found.
        public let found: Int

        /// The two numbers, in a sentence.
        public var description: String { "waited for \(wanted) sleepers on the manual clock, found \(found)" }
    }

    private struct Sleeper {
        var number: Int
        var wakes: ContinuousClock.Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: ContinuousClock.Instant
        var nextNumber = 0
        var sleepers: [Sleeper] = []
        var watchers: [(count: Int, gate: Gate)] = []
    }

    private let state: Mutex<State>

    /// Creates a clock that starts at an instant.
    public init(now: ContinuousClock.Instant = .now) {
        state = Mutex(State(now: now))
    }

    /// The clock's current instant.
    public var now: ContinuousClock.Instant { state.withLock(\.now) }

    /// The number of tasks that sleep on this clock.
    public var sleeperCount: Int { state.withLock(\.sleepers.count) }

    /// The time until the first sleeper wakes; `nil` if no task sleeps.
    public var timeToNextSleeper: Duration? {
        state.withLock { state in state.sleepers.map(\.wakes).min().map { state.now.duration(to: $0) } }
    }

    /// Waits until the clock has reached an instant.
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(Sleeper(number: number, wakes: instant, continuation: continuation))
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock.
    ///
    /// Sleepers that are due wake in the order of their instants.
    public func advance(by time: Duration) {
        advance { $0.advanced(by: time) }
    }

    /// Advances the clock to an instant; an earlier instant has no effect.
    public func advance(to instant: ContinuousClock.Instant) {
        advance { max($0, instant) }
    }

    /// Advances the clock to the next sleeper's instant.
    ///
    /// Returns whether there was a sleeper.
    @discardableResult
    public func advanceToNextSleeper() -> Bool {
        guard let time = timeToNextSleeper else { return false }
        advance(by: max(time, .zero))
        return true
    }

    /// Waits until at least `count` tasks sleep on this clock.
    ///
    /// Throws ``TooFewSleepers`` after `limit` of real time.
    public func waitForSleepers(_ count: Int = 1, within limit: Duration = .seconds(120)) async throws {
        let gate = Gate()
        state.withLock { state in
            if state.sleepers.count >= count { return gate.open() }
            state.watchers.append((count, gate))
        }
        guard try await TimeLimit.run(limit, { try await gate.wait() }) != nil else {
            throw TooFewSleepers(wanted: count, found: sleeperCount)
        }
    }

    private func register(_ sleeper: Sleeper) {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            // The cancellation callback may have run before this sleeper was registered.
            if Task.isCancelled { return .failure(CancellationError()) }
            if sleeper.wakes <= state.now { return .success(()) }
            state.sleepers.append(sleeper)
            return nil
        }
        if let outcome { return sleeper.continuation.resume(with: outcome) }
        let ready = state.withLock { state in
            let count = state.sleepers.count
            let ready = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return ready
        }
        for watcher in ready { watcher.gate.open() }
    }

    private func advance(_ move: (ContinuousClock.Instant) -> ContinuousClock.Instant) {
        let due = state.withLock { state in
            let now = move(state.now)
            state.now = now
            let due = state.sleepers.filter { $0.wakes <= now }
            state.sleepers.removeAll { $0.wakes <= now }
            return due
        }
        for sleeper in due.sorted(by: { ($0.wakes, $0.number) < ($1.wakes, $1.number) }) {
            sleeper.continuation.resume()
        }
    }
}
