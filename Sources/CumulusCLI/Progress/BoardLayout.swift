// SPDX-License-Identifier: Apache-2.0

/// Several transfers as lines of a terminal, with a total beneath them; a pure function of its data and the size.
struct BoardLayout {
    /// The running transfers.
    var lines: [ProgressLine]
    /// The number of all transfers, including those that have ended or are waiting.
    var count: Int
    /// How many have ended.
    var ended: Int
    /// The bytes of all transfers so far.
    var completed: Int64
    /// The rate of all transfers, in bytes per second.
    var rate: Double?

    /// The lines, no more than the terminal has, and none that would wrap.
    func rows(_ size: TerminalSize, style: ProgressLine.Style) -> [String] {
        // The last column is left free: on some terminals a full line begins a new one.
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
