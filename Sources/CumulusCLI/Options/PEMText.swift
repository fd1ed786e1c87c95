// SPDX-License-Identifier: Apache-2.0

/// The content of a PEM file (RFC 7468); TLS determines whether it is usable.
struct PEMText {
    private let lines: [ArraySlice<UInt8>]
    /// The first line, counted from 1, that should be Base64 but isn't; `nil` if all are valid.
    let damagedLine: Int?
    /// Whether a key says in a header that it is encrypted.
    private let hasEncryptionHeader: Bool

    init(_ bytes: [UInt8]) {
        let (mark, end) = (Array("-----BEGIN ".utf8), Array("-----END ".utf8))
        let all = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines = all.filter { $0.starts(with: mark) }
        var isInside = false
        var damaged: Int?
        var isEncrypted = false
        for (index, line) in all.enumerated() where damaged == nil {
            if line.starts(with: mark) {
                isInside = true
            } else if line.starts(with: end) {
                isInside = false
            } else if isInside, line.contains(UInt8(ascii: ":")) {
                // A header of an encrypted key (RFC 1421).
                if line.starts(with: "Proc-Type: 4,ENCRYPTED".utf8) { isEncrypted = true }
            } else if isInside, !PEMText.isBase64(line) {
                damaged = index + 1
            }
        }
        damagedLine = damaged
        hasEncryptionHeader = isEncrypted
    }

    private static func isBase64(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), 0x20,
                0x09, 0x0D:
                true
            default: false
            }
        }
    }

    /// Refuses a damaged file, in the name of its option.
    func refuseDamage(_ file: String, of option: String) throws(UsageMistake) {
        guard let damagedLine else { return }
        throw UsageMistake("the \(option) file \(quoted(file)) is damaged: line \(damagedLine) is not Base64")
    }

    var hasCertificate: Bool { has("CERTIFICATE-----") }
    var hasKey: Bool { has("PRIVATE KEY-----") }
    var hasEncryptedKey: Bool { has("ENCRYPTED PRIVATE KEY-----") || hasEncryptionHeader }

    private func has(_ label: String) -> Bool {
        let label = Array(label.utf8)
        return lines.contains { line in
            let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return end.suffix(label.count).elementsEqual(label)
        }
    }
}
