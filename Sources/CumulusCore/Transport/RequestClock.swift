// SPDX-License-Identifier: Apache-2.0

/// The clock of a request, used for its deadlines, backoff, limits and progress.
///
/// Tests replace it with `ManualClock` from CumulusTesting.
public protocol RequestClock: Sendable {
    /// The current instant.
    var now: ContinuousClock.Instant { get }

    /// Waits until an instant.
    ///
    /// - Parameter instant: The instant to wait for; if it is in the past, this method returns immediately.
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until instant: ContinuousClock.Instant) async throws
}

extension RequestClock {
    /// Waits for a duration.
    ///
    /// - Parameter duration: The time to wait; if it is zero or less, this method returns immediately.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await sleep(until: now.advanced(by: duration)) }
}

/// The system's continuous clock, which advances while the machine sleeps.
public struct SystemClock: RequestClock {
    /// Creates the system's clock.
    public init() {}

    /// The current instant of the continuous clock.
    public var now: ContinuousClock.Instant { ContinuousClock.now }

    /// The longest sleep, a century: the runtime traps on instants that 64 bits of seconds can't express.
    package static let longestSleep = Duration.seconds(100 * 365 * 86_400)

    /// Suspends the task until an instant, for at most a century.
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        let instant = min(instant, ContinuousClock.now.advanced(by: SystemClock.longestSleep))
        // The only place where a request waits; tests use a `ManualClock` instead.
        try await Task.sleep(until: instant, clock: .continuous)
    }
}
