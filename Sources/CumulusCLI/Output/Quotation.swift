// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A text in quotes for a message: shortened, with control and invisible characters made visible.
func quoted(_ text: some StringProtocol) -> String { Quotation(text).text }

/// An intended URL in quotes, without a possible password or token.
func quotedURL(_ text: some StringProtocol) -> String { quoted(SecretRedaction.suspectURL(String(text))) }

/// The result of `quoted`.
struct Quotation {
    private static let limit = 160
    let text: String

    init(_ source: some StringProtocol) {
        text = "'" + PeerText.printable(source, limit: Quotation.limit) + "'"
    }
}
