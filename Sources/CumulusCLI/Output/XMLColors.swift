// SPDX-License-Identifier: Apache-2.0

/// Colors a piece of XML: element names blue, attribute names cyan, values green, everything except content faint.
enum XMLColors {
    static func paint(
        _ kind: XMLTokens.Kind,
        _ text: ArraySlice<UInt8>,
        into pieces: inout OutputPieces,
        _ write: OutputPieces.Write
    ) throws {
        switch kind {
        case .text: try pieces.add(text, write)
        case .other: try pieces.add(text, in: .faint, write)
        case .start, .empty, .end: try tag(text, into: &pieces, write)
        }
    }

    private static func tag(
        _ text: ArraySlice<UInt8>,
        into pieces: inout OutputPieces,
        _ write: OutputPieces.Write
    ) throws {
        let open = text.prefix(text.dropFirst().first == UInt8(ascii: "/") ? 2 : 1)
        let name = text[open.endIndex...].prefix { !XMLOutline.endsName($0) }
        try pieces.add(text[..<name.endIndex], in: .blue, write)
        var rest = text[name.endIndex...]
        while let first = rest.first {
            let piece: ArraySlice<UInt8>
            let color: TerminalColor?
            switch first {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let value = rest.dropFirst().prefix { $0 != first }
                (piece, color) = (rest.prefix(value.count + 2), .green)
            case UInt8(ascii: ">"), UInt8(ascii: "/"): (piece, color) = (rest, .blue)
            case 0...0x20, UInt8(ascii: "="): (piece, color) = (rest.prefix(1), nil)
            default:
                piece = rest.prefix { $0 != UInt8(ascii: "=") && !XMLOutline.endsName($0) }
                color = .cyan
            }
            try pieces.add(piece, in: color, write)
            rest = rest.dropFirst(piece.count)
        }
    }
}
