// SPDX-License-Identifier: Apache-2.0

/// Redacts secrets in a multipart form for display: the content of fields whose names indicate a secret.
enum MultipartRedaction {
    /// The body with a placeholder for each secret; it works on bytes, so an invalid form shows no more.
    static func redacted(_ bytes: [UInt8], boundary: String) -> [UInt8] {
        let delimiter = Array("--\(boundary)".utf8)
        var shown: [UInt8] = []
        var rest = bytes[...]
        while let start = place(of: delimiter, in: rest) {
            shown += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let part = rest[..<(place(of: delimiter, in: rest)?.lowerBound ?? rest.endIndex)]
            guard let head = place(of: Array("\r\n\r\n".utf8), in: part), isSecret(part[..<head.lowerBound]) else {
                shown += part
                rest = rest[part.endIndex...]
                continue
            }
            shown += part[..<head.upperBound] + Array("<redacted>\r\n".utf8)
            rest = rest[part.endIndex...]
        }
        return shown + rest
    }

    private static func isSecret(_ head: ArraySlice<UInt8>) -> Bool {
        var rest = head
        while let start = place(of: Array("name=\"".utf8), in: rest) {
            rest = rest[start.upperBound...]
            let name = rest.prefix { $0 != UInt8(ascii: "\"") }
            if Redaction.isSecret(PercentEncoding.decode(String(decoding: name, as: UTF8.self))) { return true }
        }
        return false
    }

    private static func place(of needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = needle.first else { return nil }
        var rest = bytes
        while let start = rest.firstIndex(of: first) {
            if bytes[start...].starts(with: needle) { return start..<start + needle.count }
            rest = bytes[(start + 1)...]
        }
        return nil
    }
}
