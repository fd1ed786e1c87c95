// SPDX-License-Identifier: Apache-2.0

/// Checks that a transfer keeps its minimum rate: pure state, which the transport asks from time to time.
package struct RateWatch: Sendable {
    /// The minimum rate.
    package let minimum: MinimumRate
    private var begun: (at: Moment, count: Int64)?

    /// Creates a watch for a rate; `nil` if there is no limit.
    package init?(_ minimum: MinimumRate?) {
        guard let minimum, minimum.bytesPerSecond > 0, minimum.period > .zero else { return nil }
        self.minimum = minimum
    }

    /// Checks again; true if a whole period has passed, spent only waiting for the peer, with too few bytes.
    package mutating func isTooSlow(
        _ count: Int64,
        isWaitingForPeer: Bool,
        at now: Moment
    ) -> Bool {
        guard isWaitingForPeer, let begun else {
            begun = isWaitingForPeer ? (now, count) : nil
            return false
        }
        let elapsed = now - begun.at
        guard elapsed >= minimum.period else { return false }
        if Double(count - begun.count) < Double(minimum.bytesPerSecond) * (elapsed / .seconds(1)) { return true }
        self.begun = (now, count)
        return false
    }
}
