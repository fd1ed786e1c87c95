// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A text in quotes for a message: shortened, what steers or hides made visible.
func quoted(_ text: some StringProtocol) -> String { Quotation(text).text }

/// What was meant for a URL in quotes, without what may be a password or token.
func quotedURL(_ text: some StringProtocol) -> String { quoted(SecretRedaction.suspectURL(String(text))) }

/// What `quoted` makes.
struct Quotation {
    private static let limit = 60
    let text: String

    init(_ source: some StringProtocol) {
        text = "'" + PeerText.printable(source, limit: Quotation.limit) + "'"
    }
}
