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

    /// The bytes; a single list counts as its elements.
    func text(of values: [JSON]) throws -> [UInt8] {
        let elements = values.count == 1 ? values[0].array ?? values : values
        switch form {
        case .json: return try json(values.count == 1 ? values[0] : .array(values))
        case .yaml: return bytes(BlockYAML.text(of: values.count == 1 ? values[0] : .array(values)))
        case .csv: return bytes(CommaSeparatedText.text(of: elements))
        case .table:
            let table = RecordTable(
                width: style.tableWidth,
                isUnicode: style.isUnicode,
                colors: style.colors ? style.theme : nil
            )
            return Array(table.text(of: elements).utf8)
        }
    }

    private func json(_ value: JSON) throws -> [UInt8] {
        var output: [UInt8] = []
        var body = BodyPrinter(type: .json, style: style)
        try body.take(ByteChunk(value.encoded())) { output += $0 }
        try body.finish { output += $0 }
        return output + [UInt8(ascii: "\n")]
    }

    /// Controls in the server's text are made visible on a terminal; a pipe gets them unchanged.
    private func bytes(_ text: String) -> [UInt8] {
        Array((style.isTerminal ? TerminalText.harmless(text) : text).utf8)
    }
}
