// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Values as a table for people: names at the top, numbers right-aligned, without terminal controls.
struct RecordTable {
    /// The maximum width of the table; `nil` for no limit.
    let width: Int?
    let isUnicode: Bool
    /// `nil` for no colors.
    let colors: ColorStyle?

    private static let gap = "  "
    /// No column is made narrower than this.
    private static let narrowest = 8
    /// No column is wider than this if the table has no maximum width; a longer text sticks out.
    private static let widest = 64

    /// A column's properties, from all of its cells.
    private struct Column {
        var width: Int
        /// Whether it contains only numbers and gaps.
        var isNumber: Bool { hasNumber && !hasOther }
        var hasNumber = false
        var hasOther = false
    }

    /// Writes the table line by line.
    ///
    /// - Throws: ``FormProblem``, and `CancellationError` between two lines.
    func write(_ values: [JSON], _ write: (String) throws -> Void) throws {
        let records = try RecordColumns(values, for: .table)
        guard !records.names.isEmpty else { return }
        let names = records.names.map(RecordTable.clean)
        let columns = try columns(of: records, named: names)
        try write(line(names, columns) { colors?.paint($0, .cyan) ?? $0 })
        let rule = columns.map { String(repeating: isUnicode ? "\u{2500}" : "-", count: $0.width) }
        try write(line(rule, columns) { colors?.paint($0, .faint) ?? $0 })
        for row in records.rows {
            try Task.checkCancellation()
            try write(line(records.texts(of: row, RecordTable.clean), columns) { $0 })
        }
    }

    private func columns(of records: RecordColumns, named names: [String]) throws -> [Column] {
        let most = width ?? RecordTable.widest
        var columns = names.map { Column(width: min(DisplayWidth.of($0), most)) }
        var content = names.reduce(0) { $0 + $1.utf8.count }
        for row in records.rows {
            try Task.checkCancellation()
            for (place, cell) in row {
                let text = RecordTable.clean(RecordColumns.text(cell))
                // Each object in the response has the name, with quotes, colon and comma.
                content += text.utf8.count + names[place].utf8.count + 4
                columns[place].width = max(columns[place].width, min(DisplayWidth.of(text), most))
                if cell.isNumeric {
                    columns[place].hasNumber = true
                } else if !cell.isNull {
                    columns[place].hasOther = true
                }
            }
        }
        for (place, width) in fitted(columns.map(\.width)).enumerated() { columns[place].width = width }
        var rowWidth = columns.reduce(0) { $0 + $1.width + RecordTable.gap.utf8.count }
        if let last = columns.last, !last.isNumber { rowWidth -= last.width }
        try records.limit(rowWidth: rowWidth, content: content, for: .table)
        return columns
    }

    /// The columns' widths, with the widest reduced until all fit.
    private func fitted(_ wanted: [Int]) -> [Int] {
        guard let width else { return wanted }
        let room = width - RecordTable.gap.utf8.count * (wanted.count - 1)
        guard wanted.reduce(0, +) > room, var most = wanted.max() else { return wanted }
        while most > RecordTable.narrowest, wanted.reduce(0, { $0 + min($1, most) }) > room { most -= 1 }
        var widths = wanted.map { min($0, most) }
        var rest = room - widths.reduce(0, +)
        for place in widths.indices.reversed() where rest > 0 && wanted[place] > most {
            widths[place] += 1
            rest -= 1
        }
        return widths
    }

    private func line(_ cells: [String], _ columns: [Column], _ paint: (String) -> String) -> String {
        var line = ""
        for (place, cell) in cells.enumerated() {
            let column = columns[place]
            let dots = isUnicode ? "\u{2026}" : "..."
            let shown = width == nil ? cell : DisplayWidth.fitted(cell, to: column.width, dots: dots)
            if place > 0 { line += RecordTable.gap }
            let isLast = place == cells.count - 1
            let missing = isLast && !column.isNumber ? 0 : max(0, column.width - DisplayWidth.of(shown))
            let blanks = String(repeating: " ", count: missing)
            line += column.isNumber ? blanks + paint(shown) : paint(shown) + blanks
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
