// SPDX-License-Identifier: Apache-2.0

/// How fast a segment's bytes have been arriving; what is longer ago counts less.
struct SegmentPace: Sendable {
    /// How many seconds at the usual rate are assumed, so that one which has only just begun isn't taken for a slow one.
    private var assumed = 0.25
    private(set) var bytes = 0.0
    private var seconds = 0.0
    private var since: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { since = now }

    mutating func add(_ count: Int64) { bytes += Double(count) }

    /// How long the bytes have taken.
    func elapsed(at now: ContinuousClock.Instant) -> Double { seconds + max(0, (now - since) / .seconds(1)) }

    /// Lets what there has been until now count half.
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
