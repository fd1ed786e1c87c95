// SPDX-License-Identifier: Apache-2.0

/// JSON text formatted or colored, token by token: everything is shown, including duplicate names.
struct JSONLayout {
    let formats: Bool
    let colors: Bool
    let cleans: Bool
    var limits = LayoutLimits()
    /// How many spaces each level is indented.
    var indent = 2
    var theme = ColorStyle.theme

    /// Writes the text, if it is JSON and does not grow too much.
    func write(_ bytes: [UInt8], _ write: OutputPieces.Write) throws -> LayoutOutcome {
        let outcome = judged(bytes)
        guard outcome == .done else { return outcome }
        var pieces = OutputPieces(cleaning: cleans, theme: theme)
        var tokens = JSONTokens(bytes, maximumDepth: limits.depth)
        var last: JSONTokens.Kind?
        var end = 0
        while let token = tokens.next() {
            if formats {
                pieces.add(gap(after: last, before: token.kind, depth: tokens.depth))
            } else {
                try pieces.add(bytes[end..<token.place.lowerBound], write)
            }
            try pieces.add(bytes[token.place], in: colors ? JSONLayout.color(token.kind) : nil, write)
            last = token.kind
            end = token.place.upperBound
        }
        if !formats { try pieces.add(bytes[end...], write) }
        try pieces.passOn(isEnd: true, write)
        return .done
    }

    /// Scans it once without writing.
    private func judged(_ bytes: [UInt8]) -> LayoutOutcome {
        var tokens = JSONTokens(bytes, maximumDepth: limits.depth)
        var last: JSONTokens.Kind?
        var count = 0
        while let token = tokens.next() {
            count += gapLength(after: last, before: token.kind, depth: tokens.depth) + token.place.count
            last = token.kind
            if formats, !limits.allow(count, for: bytes.count) { return .tooLarge }
        }
        if tokens.isTooDeep { return .tooLarge }
        return tokens.isWhole ? .done : .malformed
    }

    /// The white space between two tokens; the depth is that after the second one's bracket.
    private func gap(after last: JSONTokens.Kind?, before next: JSONTokens.Kind, depth: Int) -> String {
        if last == .colon { return " " }
        guard JSONLayout.isLineEnd(after: last, before: next) else { return "" }
        // The position after an opening bracket is deeper, which is already counted if it is a bracket itself.
        return "\n" + String(repeating: " ", count: indent * (next == .open ? depth - 1 : depth))
    }

    private func gapLength(after last: JSONTokens.Kind?, before next: JSONTokens.Kind, depth: Int) -> Int {
        if last == .colon { return 1 }
        return JSONLayout.isLineEnd(after: last, before: next) ? 1 + indent * (next == .open ? depth - 1 : depth) : 0
    }

    private static func isLineEnd(after last: JSONTokens.Kind?, before next: JSONTokens.Kind) -> Bool {
        switch (last, next) {
        case (.open, .close), (nil, _): false
        case (.open, _), (.comma, _), (_, .close): true
        default: false
        }
    }

    private static func color(_ kind: JSONTokens.Kind) -> TerminalColor? {
        switch kind {
        case .name: .blue
        case .string: .green
        case .number: .cyan
        case .word: .magenta
        case .open, .close, .colon, .comma: nil
        }
    }
}

extension JSONLayout {
    /// The layout for a command line's options.
    init(_ style: OutputPlan, limits: LayoutLimits) {
        self.init(
            formats: style.formats,
            colors: style.colors,
            cleans: style.isTerminal,
            limits: limits,
            indent: style.indent,
            theme: style.theme
        )
    }
}
