// SPDX-License-Identifier: Apache-2.0

/// The used colours as SGR codes (ECMA-48 section 8.3.117): the 16 of each terminal's theme.
enum TerminalColor: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
    case faint = "90"

    /// The sequence that ends any colour.
    static let end = "\u{1B}[0m"

    /// A text in this colour of the terminal's theme.
    func paint(_ text: some StringProtocol) -> String { ColorStyle.theme.paint(text, self) }

    /// A status code's colour.
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
