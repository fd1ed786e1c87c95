// SPDX-License-Identifier: Apache-2.0

/// The beginning of a body as one line of text; what is no text is shown as bytes.
struct LoggedBody: CustomStringConvertible {
    private let bytes: ByteChunk
    private let limit: Int

    init(_ bytes: ByteChunk, limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    var description: String {
        let shown = bytes.withUnsafeBytes { [UInt8]($0.prefix(limit)) }
        // Control characters could act on a terminal, or look like another line.
        let text = String(decoding: shown, as: UTF8.self).unicodeScalars.map { scalar in
            scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return text.joined() + (bytes.count > limit ? "... (\(bytes.count) bytes)" : "")
    }
}
