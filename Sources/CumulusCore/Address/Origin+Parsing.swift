// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension Origin {
    /// Parses `host`, `host:port` or `[address]:port`, refusing every ambiguous form.
    init(authority: Substring, schemeOf: (_ host: String) -> Scheme) throws(RequestURL.Malformation) {
        var host = authority
        var port: Int?
        let afterBracket = authority.utf8.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        if let (end, digits) = authority[afterBracket...].cut(atLast: ":") {
            host = authority[..<end.endIndex]
            if !digits.isEmpty {
                guard digits.utf8.count <= 5, digits.utf8.allSatisfy(Origin.isDigit), let number = Int(digits),
                    1...65535 ~= number
                else { throw .init("the URL's port is not a number from 1 to 65535") }
                port = number
            }
        }
        host = try Origin.plain(host)
        try Origin.check(host)
        let name = Origin.name(of: String(host))
        self.init(scheme: schemeOf(name), host: name, port: port)
    }

    /// The host in ASCII; its other characters arrive here escaped.
    private static func plain(_ host: Substring) throws(RequestURL.Malformation) -> Substring {
        guard host.has("%") else {
            return HostName.hasEncodedLabel(host) ? try HostName.ascii(String(host))[...] : host
        }
        var bytes: [UInt8] = []
        var rest = host.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            // An escaped ASCII character is not part of a name, and could be a delimiter.
            guard digits.count == 2, let value = UInt8(Substring(digits), radix: 16), value >= 0x80 else {
                throw .init(
                    "the host \(PeerText.quoted(host)) contains a character that is not allowed in a host name"
                )
            }
            bytes.append(value)
            rest = rest[digits.endIndex...]
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw .init("the host \(PeerText.quoted(host)) is not valid UTF-8")
        }
        return try HostName.ascii(name)[...]
    }

    private static func check(_ host: Substring) throws(RequestURL.Malformation) {
        if host.isEmpty { throw .init("the URL has no host") }
        if host.begins(with: "[") { return try checkAddress(host) }
        // Text that is not a URL, such as a command with a password.
        if host.has(anyOf: " ", "\t", "\n") { throw .init("the URL's host contains white space") }
        let quoted = PeerText.quoted(host)
        if host.utf8.count > 253 { throw .init("the host \(quoted) is longer than 253 bytes") }
        guard host.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == dash || $0 == dot || $0 == underscore }) else {
            throw .init("the host \(quoted) contains a character that is not allowed in a host name")
        }
        let labels = host.parts(at: ".")
        // A trailing dot names the root and is left to the resolver; an empty label anywhere else is invalid.
        if labels.dropLast().contains("") || host == "." { throw .init("the host \(quoted) has an empty label") }
        if let last = labels.last(where: { !$0.isEmpty }), looksNumeric(last) {
            guard labels.count == 4, labels.allSatisfy(isOctet) else {
                throw .init("the host \(quoted) is a number but not a dotted IPv4 address")
            }
        }
    }

    private static func checkAddress(_ host: Substring) throws(RequestURL.Malformation) {
        let quoted = PeerText.quoted(host)
        guard host.ends(with: "]") else { throw .init("the address \(quoted) has no closing bracket") }
        let address = Substring(host.utf8.dropFirst().dropLast())
        guard isIPv6(address) else { throw .init("\(quoted) is not an IPv6 address") }
    }

    /// RFC 4291 section 2.2: eight groups, or fewer around one `::`, the last two of which may be dotted.
    private static func isIPv6(_ address: Substring) -> Bool {
        let middle = address.place(of: "::")
        let halves = middle.map { [address[..<$0.lowerBound], address[$0.upperBound...]] } ?? [address]
        guard halves.last?.has("::") != true else { return false }
        var groups = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            let parts = half.parts(at: ":")
            for (position, part) in parts.enumerated() {
                let isEnd = index == halves.count - 1 && position == parts.count - 1
                if isEnd, part.has(".") {
                    let octets = part.parts(at: ".")
                    guard octets.count == 4, octets.allSatisfy(isOctet) else { return false }
                    groups += 2
                } else {
                    guard 1...4 ~= part.utf8.count, part.utf8.allSatisfy(isHexadecimal) else { return false }
                    groups += 1
                }
            }
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }

    /// Whether resolvers would read a label as a number: `127`, `0x7f`.
    private static func looksNumeric(_ label: Substring) -> Bool {
        if label.utf8.allSatisfy(isDigit) { return true }
        return label.lowercased().begins(with: "0x") && label.utf8.dropFirst(2).allSatisfy(isHexadecimal)
    }

    private static func isOctet(_ text: Substring) -> Bool {
        guard 1...3 ~= text.utf8.count, text.utf8.allSatisfy(isDigit), let value = Int(text) else { return false }
        return value <= 255 && (text.utf8.count == 1 || !text.begins(with: "0"))
    }

    private static let dash = UInt8(ascii: "-")
    private static let dot = UInt8(ascii: ".")
    private static let underscore = UInt8(ascii: "_")

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && byte != dash && byte != dot && byte != underscore
            && byte != UInt8(ascii: "~")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte
    }
}
