// SPDX-License-Identifier: Apache-2.0

/// Several transfers as lines of a terminal, with a sum beneath them; a function of what is known and of the size.
struct BoardLayout {
    /// The transfers that run.
    var lines: [ProgressLine]
    /// How many there are in all, those that have ended or wait for their turn included.
    var count: Int
    /// How many have ended.
    var ended: Int
    /// Bytes of all of them so far.
    var completed: Int64
    /// Bytes a second of all of them.
    var rate: Double?

    /// The lines, no more than the terminal has, and none that would wrap.
    func rows(_ size: TerminalSize, style: ProgressLine.Style) -> [String] {
        // The last column is left free: a full line makes some terminals begin a new one.
        let width = max(1, size.columns - 1)
        var room = max(1, size.rows - 1)
        guard count > 1 else { return lines.prefix(1).map { $0.text(width: width, style: style) } }
        room = max(1, room - 1)
        var rows = lines.prefix(room).map { $0.text(width: width, style: style) }
        var sum = "\(ended) of \(count) done, \(Amount.size(completed))"
        if let rate { sum += ", \(Amount.rate(rate))" }
        if lines.count > room { sum += ", \(lines.count - room) more running" }
        rows.append(DisplayWidth.fitted(sum, to: width, dots: style.isUnicode ? "…" : "..."))
        return rows
    }
}
