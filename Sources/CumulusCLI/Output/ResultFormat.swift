// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The template of `--format` for an exchange, for scripts: `{status} {time_total}\n`.
struct ResultFormat: Equatable, Sendable {
    /// A piece of the text.
    enum Piece: Equatable, Sendable {
        case text(String)
        case value(ResultValue)
        /// A field of the response's head.
        case header(String)
    }

    let pieces: [Piece]

    /// Parses a template: `{name}` and `{header:Name}` are values, `{{` is a brace, `\n` and `\t` are escapes.
    init(parsing template: String) throws(UsageMistake) {
        var pieces: [Piece] = []
        var text = String.UnicodeScalarView()
        var rest = template.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch (scalar, rest.first) {
            case ("\\", "n"?), ("\\", "t"?), ("\\", "\\"?):
                let next = rest.popFirst()
                text.append(next == "n" ? "\n" : next == "t" ? "\t" : "\\")
            // As curl writes them.
            case ("%", "{"?) where rest.dropFirst().first?.value != 0x7B: break
            case ("{", "{"?), ("}", "}"?): text.append(rest.popFirst() ?? scalar)
            case ("{", _):
                let name = rest.prefix { scalar in scalar != "}" }
                guard name.endIndex < rest.endIndex else {
                    throw UsageMistake("--format contains a { without a }", hint: "{{ prints a brace")
                }
                rest = rest[name.endIndex...].dropFirst()
                if !text.isEmpty { pieces.append(.text(String(text))) }
                text = String.UnicodeScalarView()
                pieces.append(try ResultFormat.piece(String(Substring(name))))
            default: text.append(scalar)
            }
        }
        if !text.isEmpty { pieces.append(.text(String(text))) }
        self.pieces = pieces
    }

    private static func piece(_ name: String) throws(UsageMistake) -> Piece {
        if let (kind, field) = name.split(at: ":"), kind == "header", !field.isEmpty { return .header(field) }
        if let value = ResultValue(named: name) { return .value(value) }
        let names = ResultValue.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageMistake("unknown name \(quoted(name)) in --format", hint: "names: \(names), header:NAME")
    }

    /// The text for an exchange, with a line end.
    func text(of result: ExchangeResult, clean: (String) -> String) -> String {
        let text = pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .value(let value): clean(result.text(value))
            case .header(let name): clean(result.header(name))
            }
        }.joined()
        return text.utf8.last == UInt8(ascii: "\n") ? text : "\(text)\n"
    }
}
