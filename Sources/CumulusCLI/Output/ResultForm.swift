// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Values of a JSON response in the form of `--as`.
struct ResultForm {
    let form: TableFormat
    let style: OutputPlan

    init(_ form: TableFormat, style: OutputPlan) {
        self.form = form
        self.style = style
    }

    /// Writes the values; a single list counts as its elements.
    ///
    /// - Throws: ``FormProblem`` if the form would be too large, `CancellationError` between two rows.
    func write(_ values: [JSON], _ write: OutputPieces.Write) throws {
        let elements = values.count == 1 ? values[0].array ?? values : values
        var held: [UInt8] = []
        func add(_ text: String) throws {
            // A table's cells are harmless already, and its colors are ours.
            held += form == .table ? Array(text.utf8) : bytes(text)
            guard held.count >= ResultForm.pieceSize else { return }
            try write(held)
            held = []
        }
        switch form {
        case .json: return try writeJSON(values.count == 1 ? values[0] : .array(values), write)
        case .jsonl: for element in elements { try writeJSON(element, write) }
        case .yaml: try BlockYAML.write(values.count == 1 ? values[0] : .array(values), add)
        case .csv: try CommaSeparatedText.write(elements, add)
        case .table: try table.write(elements, add)
        }
        if !held.isEmpty { try write(held) }
    }

    private var table: RecordTable {
        RecordTable(width: style.tableWidth, isUnicode: style.isUnicode, colors: style.colors ? style.theme : nil)
    }

    private static let pieceSize = 65_536

    private func writeJSON(_ value: JSON, _ write: OutputPieces.Write) throws {
        var body = BodyPrinter(type: .json, style: style)
        try body.take(ByteChunk(value.encoded()), write)
        try body.finish(write)
        try write([UInt8(ascii: "\n")])
    }

    /// Controls in the server's text are made visible on a terminal; a pipe gets them unchanged.
    private func bytes(_ text: String) -> [UInt8] {
        Array((style.isTerminal ? TerminalText.harmless(text) : text).utf8)
    }
}
