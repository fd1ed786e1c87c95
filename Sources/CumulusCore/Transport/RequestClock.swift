// SPDX-License-Identifier: Apache-2.0

/// The time that a request lives by: deadlines, back-off, limits and progress read no other clock.
///
/// Tests put `ManualClock` of CumulusTesting in its place.
public protocol RequestClock: Sendable {
    /// The present instant.
    var now: ContinuousClock.Instant { get }

    /// Waits until an instant has come.
    ///
    /// - Parameter instant: When to go on; one that has passed returns at once.
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until instant: ContinuousClock.Instant) async throws
}

extension RequestClock {
    /// Waits for a time.
    ///
    /// - Parameter duration: How long; none, or less, returns at once.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await sleep(until: now.advanced(by: duration)) }
}

/// The system's continuous clock, which goes on while the machine sleeps.
public struct SystemClock: RequestClock {
    /// Makes the system's clock.
    public init() {}

    /// The present instant of the continuous clock.
    public var now: ContinuousClock.Instant { ContinuousClock.now }

    /// Suspends the task until an instant has come.
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        // The one place where the library waits; tests put a `ManualClock` here.
        try await Task.sleep(until: instant, clock: .continuous)
    }
}
