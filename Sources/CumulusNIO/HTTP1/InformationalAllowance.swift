// SPDX-License-Identifier: Apache-2.0

/// How many informational (1xx) responses may precede the final one: some at once, up to a number of bytes, and more for
/// what was sent and for the time that passes.
///
/// A server acknowledges a long upload as its bytes arrive, and says that a long job goes on; only a flood is faster. A
/// state machine without I/O or clock.
struct InformationalAllowance {
    /// The bytes of a request that pay for one.
    private static let bytesForOne: Int64 = 16 * 1024
    /// How many each second pays for.
    private static let perSecond = 10.0
    private static let timeForOne = Duration.milliseconds(100)
    /// No exchange gets near it, and sums of it don't overflow.
    private static let most = Int(min(Int64(1) << 40, Int64(Int.max / 4)))

    private let atOnce: Int
    private let bytesAtOnce: Int
    private var earned = 0
    private var taken = 0
    /// The bytes of those that were not paid for.
    private var unpaidBytes = 0

    init(atOnce: Int, bytes: Int) {
        self.atOnce = atOnce
        bytesAtOnce = bytes
    }

    /// How many may have arrived by now.
    var limit: Int { atOnce + earned }

    /// Whether the bytes exceed their limit.
    var isTooLarge: Bool { unpaidBytes > bytesAtOnce }

    /// Notes how many bytes were sent, and how long the exchange has been on its connection.
    mutating func earn(sent: Int64, after elapsed: Duration) {
        // Most exchanges are too short and too small to earn any.
        guard elapsed >= Self.timeForOne || sent >= Self.bytesForOne else { return }
        let byTime = Int(min(Double(Self.most), max(0, elapsed / .seconds(1)) * Self.perSecond))
        let bySize = Int(clamping: min(Int64(Self.most), max(0, sent / Self.bytesForOne)))
        earned = max(earned, byTime + bySize)
    }

    /// Takes one with its bytes; false if it is one too many.
    mutating func take(_ bytes: Int) -> Bool {
        taken += 1
        if taken > earned { unpaidBytes += bytes }
        return taken <= limit && !isTooLarge
    }
}
