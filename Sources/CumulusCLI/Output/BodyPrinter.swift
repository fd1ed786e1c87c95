// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A body as it is printed: bytes as they are where nothing was asked for, else text, JSON and XML laid out and coloured.
///
/// Takes the body piece by piece and gives what can be printed already. What is laid out is kept until its end, and
/// written in pieces then.
struct BodyPrinter {
    typealias Write = OutputPieces.Write

    private enum Mode {
        /// Bytes as they are.
        case raw
        /// Text for a terminal.
        case text(TerminalText)
        /// Kept until the end: it is laid out, coloured, or decoded from its charset as a whole.
        case collecting([UInt8])
        /// Binary, of which a terminal is spared the rest.
        case suppressed
    }

    /// How much text is made fit for a terminal at a time: each control takes six bytes then.
    private static let pieceSize = 65_536

    private let style: OutputPlan
    private let type: MediaType?
    private let collectedLimit: Int
    private let limits: LayoutLimits
    private var mode: Mode
    /// Whether the body would have grown too much by being laid out, and was printed as it came.
    private(set) var isTooLarge = false

    /// A printer for a body of some media type; JSON longer than the limit is printed as it comes.
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
        let isLaidOut = (type?.isJSON ?? false) || BodyPrinter.isXML(type)
        if isLaidOut && (style.formats || style.colors) || style.charset != nil {
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

    /// Writes what the next piece adds to the output.
    mutating func take(_ chunk: ByteChunk, _ write: Write) throws {
        switch mode {
        case .raw: try write(chunk.bytes)
        case .suppressed: return
        case .text(let text): try take(chunk.bytes, as: text, write)
        case .collecting(var bytes):
            mode = .suppressed
            bytes.append(contentsOf: chunk.bytes)
            guard bytes.count > collectedLimit else {
                mode = .collecting(bytes)
                return
            }
            mode = .raw
            if style.isTerminal { try take(bytes, as: TerminalText(), write) } else { try write(bytes) }
        }
    }

    /// Writes what the end of the body adds to the output.
    mutating func finish(_ write: Write) throws {
        switch mode {
        case .raw, .suppressed: return
        case .text(var text): try write(Array(text.finish().utf8))
        case .collecting(let bytes):
            mode = .raw
            switch try layOut(bytes, write) {
            case .done: return
            case .tooLarge: isTooLarge = true
            case .malformed: break
            }
            try printAsItCame(bytes, write)
        }
    }

    private func layOut(_ bytes: [UInt8], _ write: Write) throws -> LayoutOutcome {
        guard style.formats || style.colors else { return .malformed }
        let (formats, colors, cleans) = (style.formats, style.colors, style.isTerminal)
        if BodyPrinter.isXML(type) {
            let layout = XMLLayout(formats: formats, colors: colors, cleans: cleans, limits: limits)
            return try layout.write(bytes, charset: style.charset ?? type?["charset"], write)
        }
        guard type?.isJSON ?? false else { return .malformed }
        let layout = JSONLayout(formats: formats, colors: colors, cleans: cleans, limits: limits)
        guard isForeign else { return try layout.write(bytes, write) }
        return try decoded(bytes).map { try layout.write(Array($0.utf8), write) } ?? .malformed
    }

    private mutating func printAsItCame(_ bytes: [UInt8], _ write: Write) throws {
        // Whoever is piped to gets the bytes that came, unless a charset was named.
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

    /// Whether it is in another charset than UTF-8.
    private var isForeign: Bool { !BodyPrinter.isUTF8(type) || style.charset != nil }

    private func decoded(_ bytes: [UInt8]) -> String? {
        // UTF-16 is full of zeros and still text; without a word of it, zeros mean binary.
        guard type?["charset"] != nil || style.charset != nil || !BodyPrinter.isBinary(bytes) else { return nil }
        return try? TextCoder(charset: style.charset).decode(String.self, from: ByteChunk(bytes), of: type)
    }

    private static func isUTF8(_ type: MediaType?) -> Bool {
        guard let charset = type?["charset"]?.lowercased() else { return true }
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(charset)
    }

    private static func isXML(_ type: MediaType?) -> Bool {
        guard let type else { return false }
        return type.subtype == "xml" || type.subtype.ends(with: "+xml")
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.contains(0) }
}
