// SPDX-License-Identifier: Apache-2.0

/// One transfer in one line of a terminal: `name  42% ━━━━━━╸────────  12.3/29.0 MiB  4.1 MiB/s  0:04`.
///
/// A pure function of its data and the width; values without room are left out, the least important first.
struct ProgressLine: Equatable {
    /// The capabilities of the terminal.
    struct Style: Equatable, Sendable {
        var isUnicode = true
        var hasColors = false
    }

    /// The transfer's name, with control characters made visible.
    var name: String
    /// The received bytes, including those from earlier tries.
    var completed: Int64 = 0
    /// The total in bytes; `nil` if it is unknown.
    var total: Int64?
    /// Bytes per second; `nil` before there is a rate.
    var rate: Double?
    /// The time since the start.
    var elapsed = Duration.zero
    /// Whether the server has responded.
    var hasBegun = true

    private static let longestBar = 40
    private static let shortestBar = 8
    private static let gap = "  "

    /// The line, at most `width` columns wide.
    func text(width: Int, style: Style = Style()) -> String {
        guard width > 0 else { return "" }
        let parts = parts(width: width, style: style)
        var room = width - parts.reduce(0) { $0 + DisplayWidth.of($1.plain) }
        room -= ProgressLine.gap.count * max(0, parts.count - 1)
        var texts = parts.map { style.hasColors ? $0.painted : $0.plain }
        // The bar takes the remaining room, if it is enough.
        let barRoom = min(room - ProgressLine.gap.count, ProgressLine.longestBar)
        if hasBegun, barRoom >= ProgressLine.shortestBar { texts.insert(bar(barRoom, style), at: 2) }
        return texts.joined(separator: ProgressLine.gap)
    }

    private struct Part {
        let plain: String
        var color: TerminalColor?
        /// The part with the lowest weight is left out first.
        let weight: Int

        var painted: String { color.map { $0.paint(plain) } ?? plain }
    }

    private func parts(width: Int, style: Style) -> [Part] {
        let dots = style.isUnicode ? "…" : "..."
        let name = DisplayWidth.fitted(self.name, to: min(40, max(8, width / 3)), dots: dots)
        var parts = [Part(plain: name, weight: 3)]
        if hasBegun {
            parts.append(Part(plain: percent, weight: 5))
            parts.append(Part(plain: size, weight: 1))
            parts.append(Part(plain: Amount.padded(rate.map(Amount.rate) ?? "-", to: 11), color: .green, weight: 2))
            parts.append(Part(plain: Amount.padded(time, to: 5), color: .cyan, weight: 4))
        } else {
            parts.append(Part(plain: "waiting for the server", weight: 2))
            parts.append(Part(plain: Amount.time(elapsed), color: .cyan, weight: 1))
        }
        func columns() -> Int {
            parts.reduce(0) { $0 + DisplayWidth.of($1.plain) } + ProgressLine.gap.count * (parts.count - 1)
        }
        while parts.count > 1, columns() > width {
            let lightest = parts.indices.min { parts[$0].weight < parts[$1].weight } ?? 0
            parts.remove(at: lightest)
        }
        if columns() > width, let last = parts.first {
            return [Part(plain: DisplayWidth.fitted(last.plain, to: width, dots: dots), weight: 0)]
        }
        return parts
    }

    /// Rounded down: 100% means all of it.
    private var percent: String {
        guard let total else { return "  ?%" }
        let share = total > 0 ? Int(min(1, Double(completed) / Double(total)) * 100) : 100
        return Amount.padded("\(completed < total ? min(share, 99) : share)%", to: 4)
    }

    private var size: String { total.map { Amount.part(completed, of: $0) } ?? Amount.size(completed) }

    /// The remaining time; without a total, the elapsed time.
    private var time: String {
        guard let total else { return Amount.time(elapsed) }
        guard let rate, rate > 0 else { return completed >= total ? "0:00" : "-:--" }
        let seconds = Double(max(0, total - completed)) / rate
        return seconds < 1e9 ? Amount.time(.seconds(seconds.rounded(.up))) : "-:--"
    }

    private func bar(_ width: Int, _ style: Style) -> String {
        let cells =
            total.map { Cells.filled(completed, of: $0, width: width) }
            ?? Cells.moving(at: Int(elapsed / .milliseconds(100)), width: width)
        let glyphs = style.isUnicode ? ("━", "╸", "─") : ("=", ">", "-")
        let before = String(repeating: glyphs.2, count: cells.start)
        let full = String(repeating: glyphs.0, count: cells.full) + (cells.hasHalf ? glyphs.1 : "")
        let rest = String(repeating: glyphs.2, count: max(0, width - cells.start - full.count))
        guard style.hasColors else { return before + full + rest }
        let color = TerminalColor.green
        return (before.isEmpty ? "" : TerminalColor.faint.paint(before)) + (full.isEmpty ? "" : color.paint(full))
            + (rest.isEmpty ? "" : TerminalColor.faint.paint(rest))
    }

    /// The full cells of a bar.
    private struct Cells {
        var start = 0
        var full: Int
        var hasHalf = false

        static func filled(_ completed: Int64, of total: Int64, width: Int) -> Cells {
            let share = total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1
            let halves = Int(share * Double(width * 2))
            return Cells(full: halves / 2, hasHalf: !halves.isMultiple(of: 2))
        }

        /// A block that moves back and forth while the total is unknown.
        static func moving(at step: Int, width: Int) -> Cells {
            let block = max(2, width / 5)
            let way = max(1, width - block)
            let place = step % (way * 2)
            return Cells(start: place <= way ? place : way * 2 - place, full: block)
        }
    }
}
