// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Decides which bytes of a body may be written to a recording.
enum BodyScreening {
    /// Media types, apart from images, sounds and fonts, whose binary content has no names of fields.
    private static let opaque: Set<String> = [
        "octet-stream", "zip", "gzip", "x-gzip", "x-tar", "x-bzip2", "x-xz", "zstd", "x-7z-compressed", "pdf", "wasm",
    ]

    /// The bytes without their secrets; `nil` if they contain a name that indicates one, and its value can't be
    /// recognized.
    static func screened(_ bytes: [UInt8], of type: MediaType?) -> [UInt8]? {
        if bytes.isEmpty { return bytes }
        if let shown = SecretRedaction.body(ByteChunk(bytes), of: type, limit: BodyCapture.memoryLimit) {
            return shown
        }
        if let type, isLines(type), let shown = screenedLines(bytes) { return shown }
        if isBinary(bytes), type.map(isOpaque) ?? false { return bytes }
        if isBinary(bytes), hasSecretName(bytes) { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let shown = SecretRedaction.fieldText(text)
        return shown == text ? bytes : shown.has("://") ? Array(shown.utf8) : nil
    }

    /// Whether the type's content, if it isn't text, has no names of fields.
    static func isOpaque(_ type: MediaType) -> Bool {
        ["image", "audio", "video", "font"].contains(type.type) || opaque.contains(type.subtype)
    }

    /// Whether the bytes aren't UTF-8, even if they end within a character.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        if bytes.contains(0) { return true }
        return (0..<4).allSatisfy { String(validating: bytes.dropLast($0), as: UTF8.self) == nil }
    }

    private static func isLines(_ type: MediaType) -> Bool {
        ["x-ndjson", "jsonl", "json-lines", "x-jsonlines"].contains(type.subtype)
    }

    /// JSON lines without their secrets; `nil` if a line isn't JSON.
    private static func screenedLines(_ bytes: [UInt8]) -> [UInt8]? {
        var shown: [UInt8] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { shown.append(0x0A) }
            if line.allSatisfy({ $0 == 0x0D }) {
                shown += line
                continue
            }
            guard let part = SecretRedaction.body(ByteChunk(Array(line)), of: .json, limit: line.count) else {
                return nil
            }
            shown += part
        }
        return shown
    }

    /// Whether a binary format has the name of a secret among its bytes.
    private static func hasSecretName(_ bytes: [UInt8]) -> Bool {
        // Zeros between letters are UTF-16.
        bytes.filter { $0 != 0 }.split { byte in
            switch byte | 0x20 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
            default: byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-")
            }
        }.contains { $0.count > 2 && SecretRedaction.isSecret(String(decoding: $0, as: UTF8.self)) }
    }
}
