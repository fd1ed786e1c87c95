// SPDX-License-Identifier: Apache-2.0

/// What a file in PEM says that it holds (RFC 7468); whether that can be used is for TLS to find out.
struct PEMText {
    private let lines: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8]) {
        let mark = Array("-----BEGIN ".utf8)
        lines = bytes.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: mark) }
    }

    var hasCertificate: Bool { has("CERTIFICATE-----") }
    var hasKey: Bool { has("PRIVATE KEY-----") }
    var hasEncryptedKey: Bool { has("ENCRYPTED PRIVATE KEY-----") }

    private func has(_ label: String) -> Bool {
        let label = Array(label.utf8)
        return lines.contains { line in
            let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return end.suffix(label.count).elementsEqual(label)
        }
    }
}
