// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer

/// The answer of a loopback service, as in the service's documentation, and the result of a typed call.
struct CannedAnswer: Sendable {
    let response: ServerResponse
    /// The result of ``CatalogTask/typed``.
    let shown: String

    init(_ response: ServerResponse, _ shown: String) {
        self.response = response
        self.shown = shown
    }

    init(json text: String, _ shown: String) { self.init(.json(text), shown) }

    /// A one-pixel image.
    static let image = CannedAnswer(
        .bytes(
            [
                0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00,
                0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x00, 0x3B,
            ] as [UInt8],
            type: MediaType("image", "gif")
        ),
        "gif"
    )
    static let numbers = CannedAnswer(json: "[17,4]", "[17, 4]")
    static let yes = CannedAnswer(json: "true", "true")
    static let nothing = CannedAnswer(.status(.noContent), "done")
    static let object = CannedAnswer(json: #"{"a":1}"#, #"{"a":1}"#)
}
