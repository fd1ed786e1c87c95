// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Prints a body: unchanged by default, otherwise with text, JSON and XML formatted and colored.
///
/// It takes the body piece by piece and returns what can already be printed. A formatted body is kept until its end,
/// and then written in pieces.
struct BodyPrinter {
    typealias Write = OutputPieces.Write

    private enum Mode {
        /// Bytes, unchanged.
        case raw
        /// Text for a terminal.
        case text(TerminalText)
        /// Formatted line by line.
        case lines(LineLayout)
        /// Kept until the end: it is formatted, colored, or decoded from its charset as a whole.
        case collecting([UInt8])
        /// Binary, which is not printed on a terminal.
        case suppressed
    }

    /// How much text is made safe for a terminal at a time: each control character becomes six bytes.
    private static let pieceSize = 65_536

    private let style: OutputPlan
    private let type: MediaType?
    private let kind: BodyKind
    private let collectedLimit: Int
    private let limits: LayoutLimits
    private var mode: Mode
    /// Why the body was printed as received although it should have been formatted, for a note.
    private(set) var remark: String?

    /// Creates a printer for a body with a media type; JSON longer than the limit is printed as it arrives.
    init(
        type: MediaType?,
        style: OutputPlan,
        collectedLimit: Int = 16 << 20,
        limits: LayoutLimits = LayoutLimits()
    ) {
        self.collectedLimit = collectedLimit
        self.limits = limits
        self.type = type
        self.style = style
        kind = BodyKind(type)
        let changes = style.formats || style.colors
        if changes, kind == .jsonLines || kind == .events, style.charset == nil {
            mode = .lines(LineLayout(kind, style: style, limits: limits))
        } else if changes && BodyPrinter.isLaidOut(kind, style) || style.charset != nil {
            mode = .collecting([])
        } else if style.isTerminal {
            mode = BodyPrinter.isUTF8(type) ? .text(TerminalText()) : .collecting([])
        } else {
            mode = .raw
        }
    }

    /// Whether the rest of the body is not printed.
    var isSuppressed: Bool {
        if case .suppressed = mode { true } else { false }
    }

    /// Writes the output for the next piece.
    mutating func take(_ chunk: ByteChunk, _ write: Write) throws {
        switch mode {
        case .raw: try write(chunk.bytes)
        case .suppressed: return
        case .text(let text): try take(chunk.bytes, as: text, write)
        case .lines(var lines):
            try lines.take(chunk.bytes, write)
            mode = .lines(lines)
        case .collecting(var bytes):
            mode = .suppressed
            bytes.append(contentsOf: chunk.bytes)
            guard bytes.count > collectedLimit else {
                mode = .collecting(bytes)
                return
            }
            mode = .raw
            remark = "the body is longer than \(collectedLimit >> 20) MiB, and is shown as received"
            if style.isTerminal { try take(bytes, as: TerminalText(), write) } else { try write(bytes) }
        }
    }

    /// Writes the output for the end of the body.
    mutating func finish(_ write: Write) throws {
        switch mode {
        case .raw, .suppressed: return
        case .text(var text): try write(Array(text.finish().utf8))
        case .lines(var lines):
            try lines.finish(write)
            if lines.hasLong { remark = "a line is longer than 1 MiB, and is shown as received" }
        case .collecting(let bytes):
            mode = .raw
            switch try layOut(bytes, write) {
            case .done: return
            case .tooLarge:
                remark = "the body is nested so deeply that its layout would be huge; it is shown as received"
            case .malformed: break
            }
            try printAsItCame(bytes, write)
        }
    }

    /// Writes the rest of an interrupted body: the part that was kept is printed as received.
    mutating func breakOff(_ write: Write) throws {
        guard case .collecting(let bytes) = mode else { return try finish(write) }
        mode = .raw
        try printAsItCame(bytes, write)
    }

    private func layOut(_ bytes: [UInt8], _ write: Write) throws -> LayoutOutcome {
        guard style.formats || style.colors else { return .malformed }
        switch kind {
        case .xml:
            let layout = XMLLayout(
                formats: style.formats,
                colors: style.colors,
                cleans: style.isTerminal,
                limits: limits,
                indent: style.indent,
                theme: style.theme
            )
            return try layout.write(bytes, charset: style.charset ?? type?["charset"], write)
        case .json:
            let layout = JSONLayout(style, limits: limits)
            guard let text = style.charset == nil ? json(bytes) : decoded(bytes).map({ Array($0.utf8) }) else {
                return .malformed
            }
            let sorted = style.isSorted ? SortedJSON.text(of: text, maximumDepth: limits.depth) : nil
            return try layout.write(sorted ?? text, write)
        case .html where style.colors:
            guard let text = isForeign ? decoded(bytes).map({ Array($0.utf8) }) : bytes else { return .malformed }
            if style.isTerminal, BodyPrinter.isBinary(text) { return .malformed }
            try HTMLColors.write(text, cleans: style.isTerminal, theme: style.theme, write)
            return .done
        case .html, .jsonLines, .events, .other: return .malformed
        }
    }

    private mutating func printAsItCame(_ bytes: [UInt8], _ write: Write) throws {
        // A pipe gets the received bytes, unless a charset was given.
        guard style.isTerminal || style.charset != nil else { return try write(bytes) }
        if isForeign, let text = decoded(bytes) {
            guard style.isTerminal else { return try write(Array(text.utf8)) }
            return try print(text.utf8, write)
        }
        guard style.isTerminal else { return try write(bytes) }
        guard !BodyPrinter.isBinary(bytes) else {
            mode = .suppressed
            return
        }
        try print(bytes, write)
    }

    /// Prints text for a terminal, in pieces.
    private func print(_ bytes: some Collection<UInt8>, _ write: Write) throws {
        var text = TerminalText()
        try BodyPrinter.pass(bytes, through: &text, write)
        try write(Array(text.finish().utf8))
    }

    private mutating func take(_ bytes: [UInt8], as text: TerminalText, _ write: Write) throws {
        guard !BodyPrinter.isBinary(bytes) else {
            mode = .suppressed
            return
        }
        var text = text
        mode = .raw
        try BodyPrinter.pass(bytes, through: &text, write)
        mode = .text(text)
    }

    private static func pass(
        _ bytes: some Collection<UInt8>,
        through text: inout TerminalText,
        _ write: Write
    ) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceSize)
            try write(Array(text.take(piece).utf8))
            rest = rest.dropFirst(pieceSize)
        }
    }

    /// Whether it has another charset than UTF-8.
    private var isForeign: Bool { !BodyPrinter.isUTF8(type) || style.charset != nil }

    /// JSON in UTF-8, as the library reads it.
    private func json(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { JSON.transcoded($0, of: type) } ?? bytes
    }

    private func decoded(_ bytes: [UInt8]) -> String? {
        // UTF-16 contains zeros and is still text; without a charset, zeros mean binary.
        guard type?["charset"] != nil || style.charset != nil || !BodyPrinter.isBinary(bytes) else { return nil }
        return try? TextCoder(charset: style.charset).decode(String.self, from: ByteChunk(bytes), of: type)
    }

    private static func isUTF8(_ type: MediaType?) -> Bool {
        guard let charset = type?["charset"]?.lowercased() else { return true }
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(charset)
    }

    private static func isLaidOut(_ kind: BodyKind, _ style: OutputPlan) -> Bool {
        kind == .json || kind == .xml || kind == .html && style.colors
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.contains(0) }
}
