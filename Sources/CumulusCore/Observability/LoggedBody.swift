// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The beginning of a body as one line of text; anything that is not text is shown as bytes.
struct LoggedBody: CustomStringConvertible {
    private let bytes: ByteChunk
    private let limit: Int

    init(_ bytes: ByteChunk, limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    var description: String {
        let shown = bytes.withUnsafeBytes { [UInt8]($0.prefix(limit)) }
        // Control characters could affect a terminal, or forge another line.
        return PeerText.printable(bytes: shown, limit: .max) + (bytes.count > limit ? "... (\(bytes.count) bytes)" : "")
    }
}
