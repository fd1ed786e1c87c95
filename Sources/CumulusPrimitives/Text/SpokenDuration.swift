// SPDX-License-Identifier: Apache-2.0

/// A duration in readable units: `250 ms`, `1.5 s`, `2 min 5 s`.
package struct SpokenDuration: CustomStringConvertible {
    private let duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    package var description: String {
        let milliseconds = duration / .milliseconds(1)
        if duration < .zero { return "-" + SpokenDuration(.zero - duration).description }
        if milliseconds == 0 { return "0 s" }
        if milliseconds < 9.95 { return "\(SpokenDuration.tenths(milliseconds)) ms" }
        if milliseconds < 999.5 { return "\(Int64(milliseconds.rounded())) ms" }
        let seconds = milliseconds / 1_000
        if seconds < 59.95 { return "\(SpokenDuration.tenths(seconds)) s" }
        // Longer than the age of the universe, which a peer may send.
        guard seconds < 1e15 else { return "forever" }
        let whole = Int64(seconds.rounded())
        if whole < 3_600 { return SpokenDuration.pair(whole, 60, "min", "s") }
        return SpokenDuration.pair((whole + 30) / 60, 60, "h", "min")
    }

    private static func pair(_ count: Int64, _ size: Int64, _ large: String, _ small: String) -> String {
        let (whole, rest) = count.quotientAndRemainder(dividingBy: size)
        return rest == 0 ? "\(whole) \(large)" : "\(whole) \(large) \(rest) \(small)"
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int64((number * 10).rounded())
        if tenths == 0 { return "0.1" }
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
