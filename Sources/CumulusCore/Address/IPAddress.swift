// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// An IPv4 or IPv6 address as a number; an IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) is the IPv4 address.
///
/// Your own transport passes each address to ``AddressPolicy/refusal(of:for:)`` before it connects.
public struct IPAddress: Hashable, Sendable {
    /// The address, its most significant byte first.
    let value: UInt128
    /// The number of bits: 32 or 128.
    public let width: Int

    init(value: UInt128, width: Int) {
        self.value = value
        self.width = width
    }

    /// Creates an address from its text, without brackets; `nil` for names, and for numbers that only some resolvers
    /// accept.
    public init?(_ text: some StringProtocol) {
        let text = Substring(text)
        if let value = Self.dotted(text) {
            self.init(value: UInt128(value), width: 32)
        } else if let value = Self.groups(text) {
            // RFC 4291 section 2.5.5.2.
            let isMapped = value >> 32 == 0xFFFF
            self.init(value: isMapped ? value & 0xFFFF_FFFF : value, width: isMapped ? 32 : 128)
        } else {
            return nil
        }
    }

    /// Creates an address from its 4 or 16 bytes in network order, as in a `sockaddr`; `nil` for any other number of
    /// bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let value = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let isMapped = bytes.count == 16 && value >> 32 == 0xFFFF
        self.init(value: isMapped ? value & 0xFFFF_FFFF : value, width: isMapped || bytes.count == 4 ? 32 : 128)
    }

    /// The bytes in network order.
    public var bytes: [UInt8] {
        stride(from: width - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt128($0)) }
    }

    /// Parses four numbers from 0 to 255 without leading zeros, which some parsers treat as octal.
    private static func dotted(_ text: Substring) -> UInt32? {
        let parts = text.parts(at: ".")
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard 1...3 ~= part.utf8.count, part.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = UInt8(part),
                part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0")
            else { return nil }
            value = value << 8 | UInt32(number)
        }
        return value
    }

    /// RFC 4291 section 2.2: eight groups, or fewer around one `::`; the last two may be dotted.
    private static func groups(_ text: Substring) -> UInt128? {
        guard let gap = text.place(of: "::") else {
            return words(text).flatMap { $0.count == 8 ? number($0) : nil }
        }
        let (before, behind) = (text[..<gap.lowerBound], text[gap.upperBound...])
        guard !behind.has("::"), !before.has("."), let head = before.isEmpty ? [] : words(before),
            let tail = behind.isEmpty ? [] : words(behind), head.count + tail.count <= 7
        else { return nil }
        return number(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static func number(_ words: [UInt16]) -> UInt128 { words.reduce(0) { $0 << 16 | UInt128($1) } }

    private static func words(_ text: Substring) -> [UInt16]? {
        let parts = text.parts(at: ":")
        var words: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.has("."), let last = dotted(part) {
                words += [UInt16(last >> 16), UInt16(truncatingIfNeeded: last)]
                continue
            }
            guard 1...4 ~= part.utf8.count, part.utf8.first != UInt8(ascii: "+"), let word = UInt16(part, radix: 16)
            else { return nil }
            words.append(word)
        }
        return words
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as RFC 5952 defines: in lower case, with the longest run of zero groups omitted.
    public var description: String {
        if width == 32 { return bytes.map { "\($0)" }.joined(separator: ".") }
        let words = (0..<8).map { UInt16(truncatingIfNeeded: value >> UInt128(112 - 16 * $0)) }
        var longest = 0..<0
        var start = 0
        for (index, word) in words.enumerated() {
            if word != 0 {
                start = index + 1
            } else if index + 1 - start > max(1, longest.count) {
                longest = start..<index + 1
            }
        }
        func text(_ words: ArraySlice<UInt16>) -> String { words.map { String($0, radix: 16) }.joined(separator: ":") }
        if longest.isEmpty { return text(words[...]) }
        return "\(text(words[..<longest.lowerBound]))::\(text(words[longest.upperBound...]))"
    }
}

/// The addresses that share a prefix.
package struct IPNetwork: Hashable, Sendable {
    private let base: IPAddress
    private let prefix: Int

    /// Creates the network of an address; `nil` if it has fewer bits than the prefix.
    package init?(_ base: IPAddress, prefix: Int) {
        guard 0...base.width ~= prefix else { return nil }
        self.base = base
        self.prefix = prefix
    }

    /// Whether an address belongs to the network; one of the other family never does.
    package func contains(_ address: IPAddress) -> Bool {
        address.width == base.width && (address.value ^ base.value) >> UInt128(base.width - prefix) == 0
    }
}
