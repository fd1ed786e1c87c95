// SPDX-License-Identifier: Apache-2.0

/// A section of a help page, laid out for a width.
struct HelpSection {
    /// A name with its description; a name alone gets its own line.
    typealias Row = (name: String, text: String)

    let title: String
    /// The text before the rows.
    var paragraphs: [String] = []
    var rows: [Row] = []
    /// The maximum width of the names' column.
    var nameWidth = 24

    /// The lines; none is wider than the width unless a single word is.
    func lines(width: Int) -> [String] {
        var lines = title.isEmpty ? [] : [title]
        let margin = title.isEmpty ? "" : "  "
        for paragraph in paragraphs {
            lines += HelpSection.wrapped(paragraph, width: width - margin.utf8.count).map { margin + $0 }
        }
        let column = min(nameWidth, rows.map(\.name.utf8.count).max() ?? 0) + 2
        for row in rows { lines += HelpSection.lines(of: row, column: column, width: width) }
        return lines
    }

    private static func lines(of row: Row, column: Int, width: Int) -> [String] {
        // In a narrow terminal the text is below its name.
        let isNarrow = width - column < 34 || row.name.utf8.count > column - 2
        let indent = width - column < 34 ? 6 : column + 2
        let texts = row.text.isEmpty ? [] : wrapped(row.text, width: width - indent)
        let name = "  \(row.name)"
        let set = { (text: String) in String(repeating: " ", count: indent) + text }
        if texts.isEmpty { return [name] }
        if isNarrow { return [name] + texts.map(set) }
        let gap = String(repeating: " ", count: column + 2 - name.utf8.count)
        return [name + gap + texts[0]] + texts.dropFirst().map(set)
    }

    /// A text wrapped at its spaces to lines of a width.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.parts(at: " ") where !word.isEmpty {
            if !line.isEmpty, line.unicodeScalars.count + 1 + word.unicodeScalars.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
