// SPDX-License-Identifier: Apache-2.0

/// The styles of colors: each has its own code for every color (ECMA-48 section 8.3.117).
enum ColorStyle: String, CaseIterable, Sendable {
    /// The 16 colors that the terminal's theme defines.
    case theme
    /// Light colors of the 256-color palette, for dark backgrounds.
    case dark
    /// Dark colors of the 256-color palette, for light backgrounds.
    case light
    /// No colors: bold, underlined and faint.
    case mono

    /// The sequence that begins a color.
    func start(_ color: TerminalColor) -> String { "\u{1B}[\(code(color))m" }

    /// A text in a color.
    func paint(_ text: some StringProtocol, _ color: TerminalColor) -> String {
        "\(start(color))\(text)\(TerminalColor.end)"
    }

    private func code(_ color: TerminalColor) -> String {
        switch self {
        case .theme: color.rawValue
        case .dark: "38;5;\(ColorStyle.darkPalette(color))"
        case .light: "38;5;\(ColorStyle.lightPalette(color))"
        case .mono: ColorStyle.attribute(color)
        }
    }

    private static func darkPalette(_ color: TerminalColor) -> Int {
        switch color {
        case .red: 203
        case .green: 150
        case .yellow: 221
        case .blue: 111
        case .magenta: 176
        case .cyan: 116
        case .faint: 245
        }
    }

    private static func lightPalette(_ color: TerminalColor) -> Int {
        switch color {
        case .red: 124
        case .green: 22
        case .yellow: 94
        case .blue: 19
        case .magenta: 90
        case .cyan: 24
        case .faint: 242
        }
    }

    private static func attribute(_ color: TerminalColor) -> String {
        switch color {
        case .red: "1;4"
        case .blue, .cyan: "1"
        case .yellow, .magenta: "4"
        case .green: "3"
        case .faint: "2"
        }
    }
}
