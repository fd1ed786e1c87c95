// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats

/// XML formatted or colored, piece by piece; everything else stays unchanged.
struct XMLLayout {
    let formats: Bool
    let colors: Bool
    let cleans: Bool
    var limits = LayoutLimits()
    /// How many spaces each level is indented.
    var indent = 2
    var theme = ColorStyle.theme

    private static let longestLine = 100

    /// Writes the document, if it is valid and does not grow too much.
    ///
    /// - Parameters:
    ///   - source: The document.
    ///   - charset: The given charset.
    ///   - write: Takes the output.
    /// - Returns: Whether it was written.
    /// - Throws: The error of `write`.
    func write(_ source: [UInt8], charset: String?, _ write: OutputPieces.Write) throws -> LayoutOutcome {
        let bytes: [UInt8]
        do throws(XML.ParsingError) {
            bytes = try XML.checked(source, charset: charset, maximumDepth: limits.depth)
        } catch {
            return error.reason == .tooDeep ? .tooLarge : .malformed
        }
        let outline = XMLOutline(bytes)
        var size = 0
        if formats {
            eachPiece(of: bytes, outline) { gap, token in size += (gap ?? 0) + token.place.count }
            guard limits.allow(size, for: bytes.count) else { return .tooLarge }
        }
        var pieces = OutputPieces(cleaning: cleans, theme: theme)
        var isFirst = true
        try eachPiece(of: bytes, outline) { gap, token in
            if let gap { pieces.add("\n" + String(repeating: " ", count: gap - 1)) }
            var text = bytes[token.place]
            let isTag = token.kind == .start || token.kind == .empty
            // Without white space before it, and if it is not the first, it belongs to text.
            if formats, isTag, gap != nil || isFirst {
                text = XMLLayout.inOneLine(text, indent: max(0, (gap ?? 0) - 1))
            }
            isFirst = false
            if colors {
                try XMLColors.paint(token.kind, text, into: &pieces, write)
            } else {
                try pieces.add(text, write)
            }
        }
        try pieces.passOn(isEnd: true, write)
        return .done
    }

    /// A tag with attributes on several lines, joined to one line if that is not too long.
    private static func inOneLine(_ tag: ArraySlice<UInt8>, indent: Int) -> ArraySlice<UInt8> {
        guard tag.contains(UInt8(ascii: "\n")) || tag.contains(UInt8(ascii: "\r")) else { return tag }
        var line: [UInt8] = []
        var quote: UInt8?
        for byte in tag {
            if quote == nil, byte <= 0x20 {
                if line.last != 0x20 { line.append(0x20) }
                continue
            }
            let isEnd = byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
            if quote == nil, isEnd, line.last == 0x20 { line.removeLast() }
            if quote == byte {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            line.append(byte)
        }
        let fits = line.count + indent <= longestLine && !line.contains(UInt8(ascii: "\n"))
        return fits ? line[...] : tag
    }

    /// Visits each piece with the length of the line end and indentation before it, if there is one.
    ///
    /// Elements that contain text stay unchanged.
    private func eachPiece(
        of bytes: [UInt8],
        _ outline: XMLOutline,
        _ body: (_ gap: Int?, XMLTokens.Token) throws -> Void
    ) rethrows {
        var tokens = XMLTokens(bytes)
        var depth = 0
        var starts = 0
        var isFirst = true
        /// The depth below which nothing is changed.
        var frozen: Int?
        while let token = tokens.next() {
            if token.kind == .end { depth -= 1 }
            var gap: Int?
            if formats {
                if frozen == nil {
                    if token.kind == .text { continue }
                    if !isFirst { gap = 1 + indent * max(0, depth) }
                    if token.kind == .start, outline.isVerbatim(starts) { frozen = depth }
                } else if token.kind == .end, frozen == depth {
                    frozen = nil
                }
            }
            isFirst = false
            try body(gap, token)
            if token.kind == .start {
                depth += 1
                starts += 1
            }
        }
    }
}
