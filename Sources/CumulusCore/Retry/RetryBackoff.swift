// SPDX-License-Identifier: Apache-2.0

/// How long to wait before an attempt is made again: a random part of a time that doubles, up to a cap.
///
/// All of the wait is random ("full jitter"), so that clients that failed together don't return together.
public struct RetryBackoff: Sendable {
    /// The most that is waited before the first retry; it doubles with each one.
    public var base: Duration
    /// The most that is ever waited.
    public var cap: Duration
    /// Which part of the time is waited, from 0 to 1; by default a random one.
    ///
    /// `{ 1 }` disables jitter, for tests.
    public var jitter: @Sendable () -> Double

    /// A year: nobody waits for more, and no product with it overflows.
    private static let longest = Duration.seconds(31_536_000)

    /// Names base and cap; less than nothing is nothing.
    public init(
        base: Duration = .milliseconds(300),
        cap: Duration = .seconds(20),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.base = max(.zero, base)
        self.cap = max(.zero, cap)
        self.jitter = jitter
    }

    /// How long to wait before a retry.
    ///
    /// - Parameter retry: Which one; the first is 1.
    /// - Returns: A part of `base` doubled `retry - 1` times, at most of `cap`.
    public func delay(before retry: Int) -> Duration {
        let cap = min(max(cap, .zero), RetryBackoff.longest)
        var most = min(max(base, .zero), cap)
        var left = max(1, retry) - 1
        // Ends at the cap, so that no number of retries makes it overflow.
        while left > 0, .zero < most, most < cap {
            most = most > cap - most ? cap : most + most
            left -= 1
        }
        let part = jitter()
        return part.isFinite && part < 1 ? most * max(part, 0) : most
    }
}

extension RetryBackoff: CustomStringConvertible {
    /// Base and cap.
    public var description: String { "\(SpokenDuration(base)) to \(SpokenDuration(cap)) between" }
}
