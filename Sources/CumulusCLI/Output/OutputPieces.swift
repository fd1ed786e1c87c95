// SPDX-License-Identifier: Apache-2.0

/// Output that is passed on in pieces, so that it is never held whole.
///
/// Text from a server for a terminal is made harmless here, before it is combined with ours.
struct OutputPieces {
    /// Takes a piece.
    typealias Write = ([UInt8]) throws -> Void

    private static let size = 65_536

    private let cleans: Bool
    private let theme: ColorStyle
    private var held: [UInt8] = []

    init(cleaning: Bool, theme: ColorStyle) {
        cleans = cleaning
        self.theme = theme
    }

    /// Adds our own text: indentation, colors.
    mutating func add(_ text: String) { held.append(contentsOf: text.utf8) }

    /// Adds an independent piece of a server's text: a token, or all of it.
    mutating func add(
        _ bytes: ArraySlice<UInt8>,
        in color: TerminalColor? = nil,
        _ write: Write
    ) throws {
        if let color { add(theme.start(color)) }
        var text = TerminalText()
        var rest = bytes
        while !rest.isEmpty {
            let piece = rest.prefix(OutputPieces.size)
            if !cleans || piece.allSatisfy({ 0x20..<0x7F ~= $0 }) {
                held.append(contentsOf: piece)
            } else {
                held.append(contentsOf: text.take(piece).utf8)
            }
            rest = rest.dropFirst(piece.count)
            try passOn(write)
        }
        held.append(contentsOf: text.finish().utf8)
        if color != nil { add(TerminalColor.end) }
        try passOn(write)
    }

    /// Passes on the held output, once it is enough or at the end.
    mutating func passOn(isEnd: Bool = false, _ write: Write) throws {
        guard held.count >= OutputPieces.size || isEnd && !held.isEmpty else { return }
        let piece = held
        held = []
        try write(piece)
    }
}
