// SPDX-License-Identifier: Apache-2.0

/// The rate at which a segment's bytes arrive; older bytes count less.
struct SegmentPace: Sendable {
    /// The number of seconds at the usual rate that are assumed, so that a new segment isn't considered slow.
    private var assumed = 0.25
    private(set) var bytes = 0.0
    private var seconds = 0.0
    private var since: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { since = now }

    mutating func add(_ count: Int64) { bytes += Double(count) }

    /// How long the bytes have taken.
    func elapsed(at now: ContinuousClock.Instant) -> Double { seconds + max(0, (now - since) / .seconds(1)) }

    /// Halves the weight of all earlier bytes.
    mutating func fade(at now: ContinuousClock.Instant) {
        seconds = elapsed(at: now) / 2
        bytes /= 2
        assumed /= 2
        since = now
    }

    /// The bytes per second.
    func rate(at now: ContinuousClock.Instant, usual: Double) -> Double {
        (bytes + usual * assumed) / (elapsed(at: now) + assumed)
    }
}
