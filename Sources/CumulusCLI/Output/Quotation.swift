// SPDX-License-Identifier: Apache-2.0

/// A text in quotes for a message: shortened, controls made visible.
func quoted(_ text: some StringProtocol) -> String { Quotation(text).text }

/// What `quoted` makes.
struct Quotation {
    private static let limit = 60
    let text: String

    init(_ source: some StringProtocol) {
        let shown = String(source.prefix(Self.limit))
        let dots = source.count > Self.limit ? "..." : ""
        text = "'" + TerminalText.harmless(shown, keepsLines: false) + dots + "'"
    }
}
