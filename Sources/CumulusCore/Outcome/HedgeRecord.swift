// SPDX-License-Identifier: Apache-2.0

/// The outcome of hedging an attempt whose response was late (``Settings/hedging``).
public struct HedgeRecord: Sendable, Hashable {
    /// Why no other request was sent.
    public enum Obstacle: Sendable, Hashable {
        /// ``Settings/maxConcurrentRequests`` had no free slot.
        case slots
        /// ``Settings/pace`` had no free turn.
        case pace
        /// The origin has used all the retries that ``RetryPolicy/budget`` allows.
        case budget(Origin)
    }

    /// The time without a response after which the other request was due.
    public let delay: Duration
    /// How many requests were sent in addition to the first.
    public let sent: Int
    /// The request whose response was used: 0 for the first request, 1 for the one sent after it; `nil` if no request
    /// was answered.
    public let winner: Int?
    /// Why no more requests were sent; `nil` if nothing prevented them.
    public let obstacle: Obstacle?
}

extension HedgeRecord: CustomStringConvertible {
    private static let ordinals = ["first", "second", "third", "fourth", "fifth"]

    /// The record in words: `hedged after 200 ms, the second request's answer was taken`.
    public var description: String {
        let delay = SpokenDuration(delay)
        if sent == 0, let obstacle { return "no answer after \(delay), not hedged: \(obstacle)" }
        let end =
            switch winner {
            case let winner? where HedgeRecord.ordinals.indices.contains(winner):
                "the \(HedgeRecord.ordinals[winner]) request's answer was taken"
            default: "no request was answered"
            }
        return "hedged after \(delay), \(end)"
    }
}

extension HedgeRecord.Obstacle: CustomStringConvertible {
    /// The obstacle in words.
    public var description: String {
        switch self {
        case .slots: "no slot was free"
        case .pace: "the pace allowed no other request"
        case .budget(let origin): "the retry budget of \(origin) is exhausted"
        }
    }
}
