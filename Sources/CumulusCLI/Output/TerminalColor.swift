// SPDX-License-Identifier: Apache-2.0

/// The used colors as SGR codes (ECMA-48 section 8.3.117): the 16 of each terminal's theme.
enum TerminalColor: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
    case faint = "90"

    /// The sequence that ends any color.
    static let end = "\u{1B}[0m"

    /// A text in this color of the terminal's theme.
    func paint(_ text: some StringProtocol) -> String { ColorStyle.theme.paint(text, self) }

    /// A status code's color.
    init(statusCode: Int) {
        self =
            switch statusCode {
            case 200..<300: .green
            case 300..<400: .cyan
            case 400..<500: .yellow
            case 500..<600: .red
            default: .blue
            }
    }
}

/// Colors HTML without formatting it, since white space matters there.
enum HTMLColors {
    /// Elements whose text contains no tags.
    private static let raw = ["script", "style", "textarea", "title"]

    static func write(_ bytes: [UInt8], cleans: Bool, theme: ColorStyle, _ write: OutputPieces.Write) throws {
        var pieces = OutputPieces(cleaning: cleans, theme: theme)
        var tokens = XMLTokens(bytes)
        while let token = tokens.next() {
            try XMLColors.paint(token.kind, bytes[token.place], into: &pieces, write)
            guard token.kind == .start, let name = raw.first(where: { isTag(bytes[token.place], named: $0) }) else {
                continue
            }
            try pieces.add(bytes[tokens.skipText(of: name)], write)
        }
        try pieces.passOn(isEnd: true, write)
    }

    private static func isTag(_ tag: ArraySlice<UInt8>, named name: String) -> Bool {
        let rest = tag.dropFirst()
        guard rest.prefix(name.utf8.count).map({ $0 | 0x20 }).elementsEqual(name.utf8) else { return false }
        return rest.dropFirst(name.utf8.count).first.map(XMLOutline.endsName) ?? true
    }
}
