// SPDX-License-Identifier: Apache-2.0

/// The rate at which a segment's bytes arrive; older bytes count less.
struct SegmentPace: Sendable {
    /// The number of seconds at the usual rate that are assumed, so that a new segment isn't considered slow.
    private var assumed = 0.25
    private(set) var bytes = 0.0
    private var seconds = 0.0
    /// The start of the time that counts: the expected instant of the first byte, until it has arrived.
    private var since: ContinuousClock.Instant
    /// When its request was sent, until its first byte has arrived.
    private var sent: ContinuousClock.Instant?

    /// Starts with a response that has arrived.
    init(at now: ContinuousClock.Instant) { since = now }

    /// Starts with a request, whose response is expected after so many seconds.
    init(sentAt now: ContinuousClock.Instant, expecting latency: Double) {
        since = now.advanced(by: .seconds(latency))
        sent = now
    }

    /// Adds received bytes.
    ///
    /// - Returns: The number of seconds from the request to its first byte, with the first bytes only.
    mutating func add(_ count: Int64, at now: ContinuousClock.Instant) -> Double? {
        bytes += Double(count)
        guard let sent else { return nil }
        since = min(since, now)
        self.sent = nil
        return max(0, (now - sent) / .seconds(1))
    }

    /// How long the bytes have taken.
    func elapsed(at now: ContinuousClock.Instant) -> Double { seconds + max(0, (now - since) / .seconds(1)) }

    /// How long the first byte may still take.
    func wait(at now: ContinuousClock.Instant) -> Double { max(0, (since - now) / .seconds(1)) }

    /// Halves the weight of all earlier bytes.
    mutating func fade(at now: ContinuousClock.Instant) {
        seconds = elapsed(at: now) / 2
        bytes /= 2
        assumed /= 2
        since = max(since, now)
    }

    /// The bytes per second.
    func rate(at now: ContinuousClock.Instant, usual: Double) -> Double {
        (bytes + usual * assumed) / (elapsed(at: now) + assumed)
    }
}
