// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A body as it is printed: bytes as they are where nothing was asked for, else text, JSON and XML laid out and coloured.
///
/// Takes the body piece by piece and gives what can be printed already.
struct BodyPrinter {
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

    private let style: OutputPlan
    private let type: MediaType?
    private let collectedLimit: Int
    private var mode: Mode

    /// A printer for a body of some media type; JSON longer than the limit is printed as it comes.
    init(type: MediaType?, style: OutputPlan, collectedLimit: Int = 16 << 20) {
        self.collectedLimit = collectedLimit
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

    /// What the next piece adds to the output.
    mutating func take(_ chunk: ByteChunk) -> [UInt8] {
        switch mode {
        case .raw: return chunk.bytes
        case .suppressed: return []
        case .text(var text):
            guard !BodyPrinter.isBinary(chunk.bytes) else {
                mode = .suppressed
                return []
            }
            let shown = text.take(chunk.bytes)
            mode = .text(text)
            return Array(shown.utf8)
        case .collecting(var bytes):
            mode = .suppressed
            bytes.append(contentsOf: chunk.bytes)
            guard bytes.count > collectedLimit else {
                mode = .collecting(bytes)
                return []
            }
            mode = style.isTerminal ? .text(TerminalText()) : .raw
            return take(ByteChunk(bytes))
        }
    }

    /// What the end of the body adds to the output.
    mutating func finish() -> [UInt8] {
        switch mode {
        case .raw, .suppressed: return []
        case .text(var text): return Array(text.finish().utf8)
        case .collecting(let bytes):
            if let text = readable(bytes) { return Array(text.utf8) }
            guard style.isTerminal else { return bytes }
            guard !BodyPrinter.isBinary(bytes) else {
                mode = .suppressed
                return []
            }
            var text = TerminalText()
            return Array((text.take(bytes) + text.finish()).utf8)
        }
    }

    /// The whole body as text; `nil` where it is none in its charset.
    private func readable(_ bytes: [UInt8]) -> String? {
        if BodyPrinter.isXML(type), style.formats || style.colors,
            let xml = XMLText(bytes, charset: style.charset ?? type?["charset"], cleaning: clean)
        {
            return xml.written(formats: style.formats, colors: style.colors)
        }
        guard type?.isJSON ?? false, let json = try? JSON(parsing: bytes) else {
            // Whoever is piped to gets the bytes that came, unless a charset was named.
            return style.isTerminal || style.charset != nil ? decoded(bytes).map(clean) : nil
        }
        let laidOut = style.formats ? json.encoded(.prettyPrinted) : bytes
        let text = clean(String(decoding: laidOut, as: UTF8.self))
        return style.colors ? JSONColors.paint(text) : text
    }

    private func decoded(_ bytes: [UInt8]) -> String? {
        // UTF-16 is full of zeros and still text; without a word of it, zeros mean binary.
        guard type?["charset"] != nil || style.charset != nil || !BodyPrinter.isBinary(bytes) else { return nil }
        return try? TextCoder(charset: style.charset).decode(String.self, from: ByteChunk(bytes), of: type)
    }

    private func clean(_ text: String) -> String { style.isTerminal ? TerminalText.harmless(text) : text }

    private static func isUTF8(_ type: MediaType?) -> Bool {
        guard let charset = type?["charset"]?.lowercased() else { return true }
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(charset)
    }

    private static func isXML(_ type: MediaType?) -> Bool {
        guard let type else { return false }
        return type.subtype == "xml" || type.subtype.hasSuffix("+xml")
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.contains(0) }
}
