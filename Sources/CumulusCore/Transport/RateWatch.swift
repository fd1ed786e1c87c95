// SPDX-License-Identifier: Apache-2.0

/// Watches that a transfer keeps to its minimum rate: pure state, looked at from time to time by the transport.
package struct RateWatch: Sendable {
    /// What is watched for.
    package let minimum: MinimumRate
    private var begun: (at: Moment, count: Int64)?

    /// Watches for a rate; `nil` if there is nothing to watch for.
    package init?(_ minimum: MinimumRate?) {
        guard let minimum, minimum.bytesPerSecond > 0, minimum.period > .zero else { return nil }
        self.minimum = minimum
    }

    /// Looks once more; true if a whole period has passed, of only waiting for the peer, with too few bytes.
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
