// SPDX-License-Identifier: Apache-2.0

/// How often a transport itself has sent one attempt's request again, and why.
///
/// Only requests of which something had been sent count.
public struct TransportRepetitions: Sendable, Hashable {
    private var closed: UInt8
    private var refused: UInt8

    /// Makes repetitions, by default none; numbers above 255 count as 255.
    public init(closures: Int = 0, refusals: Int = 0) {
        closed = UInt8(clamping: closures)
        refused = UInt8(clamping: refusals)
    }

    /// How often a kept connection had closed before a byte of the response (RFC 9110 section 9.2.2): the server may have
    /// carried out the request.
    public var closures: Int {
        get { Int(closed) }
        set { closed = UInt8(clamping: newValue) }
    }

    /// How often the server said that it had not processed the request (RFC 9113 section 8.7).
    public var refusals: Int {
        get { Int(refused) }
        set { refused = UInt8(clamping: newValue) }
    }

    /// Whether the request was sent only once.
    public var isEmpty: Bool { closed == 0 && refused == 0 }

    /// Both together.
    static func + (left: TransportRepetitions, right: TransportRepetitions) -> TransportRepetitions {
        TransportRepetitions(closures: left.closures + right.closures, refusals: left.refusals + right.refusals)
    }
}

extension TransportRepetitions: CustomStringConvertible {
    /// The repetitions in words: `sent again: the kept connection had closed`.
    public var description: String {
        var reasons: [String] = []
        if closed > 0 {
            reasons.append(closed == 1 ? "the kept connection had closed" : "\(closed) kept connections had closed")
        }
        if refused > 0 {
            reasons.append("the server had refused it unprocessed\(refused == 1 ? "" : " \(refused) times")")
        }
        return reasons.isEmpty ? "sent once" : "sent again: \(reasons.joined(separator: ", and "))"
    }
}
