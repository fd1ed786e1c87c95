// SPDX-License-Identifier: Apache-2.0

/// The outcome of hedging an attempt whose response was late (``Settings/hedging``).
public struct HedgeRecord: Sendable, Hashable {
    /// Why no other request was sent.
    public enum Obstacle: Sendable, Hashable {
        /// ``Settings/maxConcurrentRequests`` had no slot free.
        case slots
        /// ``Settings/pace`` had no turn free.
        case pace
        /// The origin has had as many retries as ``RetryPolicy/budget`` allows.
        case budget(Origin)
    }

    /// The time without a response after which the other request was due.
    public let delay: Duration
    /// How many were sent besides the first.
    public let sent: Int
    /// Which request's response was taken: 0 for the first request, 1 for the one sent after it; `nil` if none was
    /// answered.
    public let winner: Int?
    /// Why no more were sent; `nil` if nothing was in the way.
    public let obstacle: Obstacle?
}

extension HedgeRecord: CustomStringConvertible {
    private static let ordinals = ["first", "second", "third", "fourth", "fifth"]

    /// What happened, in words: `hedged after 200 ms, the second request's answer was taken`.
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
