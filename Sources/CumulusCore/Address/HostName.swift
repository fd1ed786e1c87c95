// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Host names in any script, converted to the form of DNS (UTS 46, non-transitional).
enum HostName {
    /// A longer name can't fit into 253 bytes.
    private static let longest = 1_000

    /// The name in ASCII, in lower case: `bücher.example` is `xn--bcher-kva.example`.
    ///
    /// - Throws: ``RequestURL/Malformation`` with the invalid character or label.
    static func ascii(_ host: String) throws(RequestURL.Malformation) -> String {
        let quoted = PeerText.quoted(host)
        guard host.utf8.count <= longest else { throw .init("the host \(quoted) is longer than 253 bytes") }
        var mapped: [Unicode.Scalar] = []
        for scalar in host.unicodeScalars { try map(scalar, of: quoted, into: &mapped) }
        let dot: Unicode.Scalar = "."
        let labels = HostNameComposition.composed(mapped).split(separator: dot, omittingEmptySubsequences: false)
        var decoded: [[Unicode.Scalar]] = []
        for label in labels { decoded.append(try unicode(Array(label), of: quoted)) }
        let isBidirectional = decoded.contains { $0.contains(where: HostNameLabel.isRightToLeft) }
        var names: [String] = []
        for label in decoded {
            if let reason = HostNameLabel(label).problem(inBidirectionalName: isBidirectional) {
                throw .init("the host \(quoted) \(reason)")
            }
            names.append(try ascii(label, of: quoted))
        }
        let name = names.joined(separator: ".")
        let isName = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
        }
        guard isName else { throw .init("the host \(quoted) contains a character that is not allowed in a host name") }
        return name
    }

    /// Whether a label is the encoded form of another text (`xn--`), which has to be valid.
    static func hasEncodedLabel(_ host: some StringProtocol) -> Bool {
        host.utf8.split(separator: UInt8(ascii: ".")).contains { label in
            label.count >= 4 && label.dropFirst(2).starts(with: "--".utf8)
                && label.prefix(2).map { $0 | 0x20 } == [UInt8(ascii: "x"), UInt8(ascii: "n")]
        }
    }

    private static func isPlain(_ label: [Unicode.Scalar]) -> Bool { label.allSatisfy { $0.value < 0x80 } }

    private static func map(
        _ scalar: Unicode.Scalar,
        of host: String,
        into mapped: inout [Unicode.Scalar]
    ) throws(RequestURL.Malformation) {
        switch HostNameTable.mapping.kind(of: scalar) {
        case UInt8(ascii: "V"): mapped.append(scalar)
        case UInt8(ascii: "I"): break
        case UInt8(ascii: "M"): mapped += HostNameTable.mapping.numbers(of: scalar).compactMap { Unicode.Scalar($0) }
        case UInt8(ascii: "P"):
            let offset = HostNameTable.mapping.numbers(of: scalar).first ?? 0
            mapped += [scalar.value &+ offset].compactMap { Unicode.Scalar($0) }
        case UInt8(ascii: "N"):
            let offset = HostNameTable.mapping.numbers(of: scalar).first ?? 0
            mapped += [scalar.value &- offset].compactMap { Unicode.Scalar($0) }
        default:
            let code = String(scalar.value, radix: 16, uppercase: true)
            let name = String(repeating: "0", count: max(0, 4 - code.utf8.count)) + code
            throw .init("the host \(host) contains U+\(name), which is not allowed in a host name")
        }
    }

    /// A label that is already in ASCII, as the text that it encodes.
    private static func unicode(
        _ label: [Unicode.Scalar],
        of host: String
    ) throws(RequestURL.Malformation) -> [Unicode.Scalar] {
        guard label.starts(with: "xn--".unicodeScalars) else { return label }
        let text = String(String.UnicodeScalarView(label.dropFirst(4)))
        guard let decoded = Punycode.decode(text), !isPlain(decoded),
            decoded.allSatisfy({ HostNameTable.mapping.kind(of: $0) == UInt8(ascii: "V") }),
            HostNameComposition.composed(decoded) == decoded
        else { throw .init("the host \(host) has a label that begins with xn-- but is not valid Punycode") }
        return decoded
    }

    private static func ascii(
        _ label: [Unicode.Scalar],
        of host: String
    ) throws(RequestURL.Malformation) -> String {
        if isPlain(label) { return String(String.UnicodeScalarView(label)) }
        guard let text = Punycode.encode(label), text.utf8.count <= 59 else {
            throw .init("the host \(host) has a label of more than 63 bytes")
        }
        return "xn--\(text)"
    }
}
