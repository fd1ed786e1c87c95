// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Values as a table for people: names at the top, numbers right-aligned, without terminal controls.
struct RecordTable {
    /// The maximum width of the table; `nil` for no limit.
    let width: Int?
    let isUnicode: Bool
    /// `nil` for no colours.
    let colors: ColorStyle?

    private static let gap = "  "
    /// No column is made narrower than this.
    private static let narrowest = 8

    func text(of values: [JSON]) -> String {
        let columns = RecordColumns(values)
        guard !columns.names.isEmpty else { return "" }
        let names = columns.names.map(RecordTable.clean)
        let rows = columns.rows.map { $0.map { RecordTable.clean(RecordColumns.text($0)) } }
        let widths = fitted(
            names.indices.map { column in
                rows.reduce(DisplayWidth.of(names[column])) { max($0, DisplayWidth.of($1[column])) }
            }
        )
        let isNumber = names.indices.map { RecordTable.hasNumbers($0, columns) }
        let rule = widths.map { String(repeating: isUnicode ? "\u{2500}" : "-", count: $0) }
        var lines = [
            line(names, widths, isNumber) { colors?.paint($0, .cyan) ?? $0 },
            line(rule, widths, isNumber) { colors?.paint($0, .faint) ?? $0 },
        ]
        lines += rows.map { line($0, widths, isNumber) { $0 } }
        return lines.joined()
    }

    /// Whether a column contains only numbers and gaps.
    private static func hasNumbers(_ column: Int, _ columns: RecordColumns) -> Bool {
        let values = columns.rows.compactMap { $0[column] }.filter { !$0.isNull }
        return !values.isEmpty && values.map(\.isNumeric).firstIndex(of: false) == nil
    }

    /// The columns' widths, with the widest reduced until all fit.
    private func fitted(_ wanted: [Int]) -> [Int] {
        guard let width else { return wanted }
        let room = width - RecordTable.gap.utf8.count * (wanted.count - 1)
        var widths = wanted
        var total = widths.reduce(0, +)
        while total > room, let widest = widths.max(), widest > RecordTable.narrowest,
            let place = widths.firstIndex(of: widest)
        {
            // Directly to the next widest: a text may be a million columns wide.
            let next = widths.filter { $0 < widest }.max() ?? RecordTable.narrowest
            let lowest = max(RecordTable.narrowest, next, widest - (total - room))
            widths[place] = min(lowest, widest - 1)
            total += widths[place] - widest
        }
        return widths
    }

    private func line(
        _ cells: [String],
        _ widths: [Int],
        _ isNumber: [Bool],
        _ paint: (String) -> String
    ) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let shown = DisplayWidth.fitted(cell, to: widths[column], dots: isUnicode ? "\u{2026}" : "...")
            let blanks = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(shown)))
            if column > 0 { line += RecordTable.gap }
            let isLast = column == cells.count - 1
            line += isNumber[column] ? blanks + paint(shown) : paint(shown) + (isLast ? "" : blanks)
        }
        return line + "\n"
    }

    /// A cell's text on one line, harmless in a pipe too, since tables end up on terminals.
    private static func clean(_ text: String) -> String { TerminalText.harmless(text, keepsLines: false) }
}

extension JSON {
    /// Whether the value is a number.
    fileprivate var isNumeric: Bool { if case .number = self { true } else { false } }
}
