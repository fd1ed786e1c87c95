// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The wait before an attempt is repeated: a random fraction of a time that doubles, up to a cap.
///
/// The whole wait is random ("full jitter"), so that clients that failed together don't retry together.
public struct RetryBackoff: Sendable {
    /// The longest wait before the first retry; it doubles with each further retry.
    public var base: Duration
    /// The longest wait before any retry.
    public var cap: Duration
    /// The fraction of the time to wait, from 0 to 1; by default random.
    ///
    /// `{ 1 }` disables jitter, for tests.
    public var jitter: @Sendable () -> Double

    /// A year.
    ///
    /// No wait is longer, and no product with it overflows.
    private static let longest = Duration.seconds(31_536_000)

    /// Creates a backoff; negative durations count as zero.
    public init(
        base: Duration = .milliseconds(300),
        cap: Duration = .seconds(20),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.base = max(.zero, base)
        self.cap = max(.zero, cap)
        self.jitter = jitter
    }

    /// Returns the wait before a retry.
    ///
    /// - Parameter retry: The number of the retry; the first is 1.
    /// - Returns: A fraction of `base` doubled `retry - 1` times, limited by `cap`.
    public func delay(before retry: Int) -> Duration { delay(before: retry, part: jitter()) }

    /// The same, with the part of the time that ``jitter`` otherwise returns.
    func delay(before retry: Int, part: Double) -> Duration {
        let cap = min(max(cap, .zero), RetryBackoff.longest)
        var most = min(max(base, .zero), cap)
        var left = max(1, retry) - 1
        // Stops at the cap, so that no number of retries causes an overflow.
        while left > 0, .zero < most, most < cap {
            most = most > cap - most ? cap : most + most
            left -= 1
        }
        return part.isFinite && part < 1 ? most * max(part, 0) : most
    }
}

extension RetryBackoff: CustomStringConvertible {
    /// The base and the cap.
    public var description: String { "\(SpokenDuration(base)) to \(SpokenDuration(cap)) between" }
}
