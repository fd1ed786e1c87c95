// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A distinguished name of a certificate as text (RFC 4514), fit to print.
struct CertificateName: CustomStringConvertible {
    let description: String

    /// Reads the name of an issuer or a subject; an unreadable part ends it.
    init(issuerOrSubject name: ArraySlice<UInt8>) {
        var sets = DERReader(contentsOf: name)
        var parts: [String] = []
        // A name is printed in part only, so not more of it is read.
        while parts.count < Self.longest, let set = sets.next() {
            var attributes = DERReader(contentsOf: set)
            var joined: [String] = []
            while joined.count < Self.longest, let attribute = attributes.next() {
                guard let text = Self.text(of: attribute) else { break }
                joined.append(text)
            }
            parts.append(joined.joined(separator: "+"))
        }
        // The last part is the most specific one, and comes first in text.
        description = PeerText.printable(parts.reversed().joined(separator: ","))
    }

    /// The maximum number of parts.
    private static let longest = 20

    /// An attribute as `TYPE=value`.
    private static func text(of attribute: ArraySlice<UInt8>) -> String? {
        var parts = DERReader(contentsOf: attribute)
        guard let type = parts.next(), type.first == 0x06, let value = parts.next() else { return nil }
        let identifier = DERReader(contentsOf: type).remainder
        let encoded = "#\(MessageDigest.hexadecimal(Array(value.prefix(100))))"
        // The value of an unusual type is shown by its bytes.
        guard let name = names.first(where: { $0.identifier == identifier })?.name else {
            return "\(dotted(identifier))=\(encoded)"
        }
        let content = DERReader(contentsOf: value).remainder
        switch value.first {
        // UTF8String, NumericString, PrintableString, IA5String.
        case 0x0c, 0x12, 0x13, 0x16: return "\(name)=\(escaped(String(decoding: content, as: UTF8.self)))"
        // TeletexString, in practice Latin-1.
        case 0x14:
            let scalars = content.map { Unicode.Scalar($0) }
            return "\(name)=\(escaped(String(String.UnicodeScalarView(scalars))))"
        // BMPString.
        case 0x1e:
            let units = stride(from: 0, to: content.count & ~1, by: 2).map {
                UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
            }
            return "\(name)=\(escaped(String(decoding: units, as: UTF16.self)))"
        default: return "\(name)=\(encoded)"
        }
    }

    /// The value with backslashes before the characters that have a meaning in a name (RFC 4514 section 2.4).
    private static func escaped(_ value: String) -> String {
        var text = String.UnicodeScalarView()
        let scalars = value.unicodeScalars
        for (index, scalar) in zip(scalars.indices, scalars) {
            let isFirst = index == scalars.startIndex
            let isLast = scalars.index(after: index) == scalars.endIndex
            let isSpecial =
                switch scalar {
                case "\"", "+", ",", ";", "<", ">", "\\": true
                case "#": isFirst
                case " ": isFirst || isLast
                default: false
                }
            if isSpecial { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }

    /// An object identifier as numbers.
    private static func dotted(_ identifier: [UInt8]) -> String {
        var numbers: [UInt] = []
        var number: UInt = 0
        for byte in identifier.prefix(32) {
            // A number that is too large isn't one of a name's attributes.
            guard number <= UInt.max >> 7 else { return "?" }
            number = number << 7 | UInt(byte & 0x7f)
            if byte & 0x80 != 0 { continue }
            if numbers.isEmpty {
                let first = min(number / 40, 2)
                numbers = [first, number - first * 40]
            } else {
                numbers.append(number)
            }
            number = 0
        }
        return numbers.map(String.init).joined(separator: ".")
    }

    /// The usual attributes: those of RFC 4514 section 3, and others that authorities use.
    private static let names: [(identifier: [UInt8], name: String)] = [
        ([0x55, 0x04, 0x03], "CN"), ([0x55, 0x04, 0x06], "C"), ([0x55, 0x04, 0x07], "L"), ([0x55, 0x04, 0x08], "ST"),
        ([0x55, 0x04, 0x09], "STREET"), ([0x55, 0x04, 0x0a], "O"), ([0x55, 0x04, 0x0b], "OU"),
        ([0x55, 0x04, 0x05], "serialNumber"), ([0x55, 0x04, 0x0f], "businessCategory"),
        ([0x55, 0x04, 0x61], "organizationIdentifier"),
        ([0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 0x01, 0x01], "UID"),
        ([0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 0x01, 0x19], "DC"),
        ([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x01], "emailAddress"),
    ]
}
