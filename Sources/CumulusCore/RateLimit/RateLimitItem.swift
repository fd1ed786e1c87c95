// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A member of a `RateLimit` or `RateLimit-Policy` field: the remaining number and the reset time, or the limit, its
/// window and its unit.
///
/// `"default";r=0;t=30` and `"default";q=100;w=60` are the current format (draft-ietf-httpapi-ratelimit-headers);
/// `limit=100, remaining=0, reset=30` is the previous one. Invalid members are ignored.
struct RateLimitItem: Sendable, Hashable {
    private(set) var name: String?
    private(set) var remaining: Int64?
    private(set) var reset: Int64?
    private(set) var quota: Int64?
    private(set) var window: Int64?
    /// The unit of the count; `nil` means requests.
    private(set) var unit: String?

    private var isEmpty: Bool { remaining == nil && reset == nil && quota == nil }

    /// The members of a field's value.
    static func items(of text: String) -> [RateLimitItem] {
        // The maximum length of a field.
        guard text.utf8.count <= 4_096 else { return [] }
        let members = split(text.utf8[...], at: UInt8(ascii: ","))
        var old = RateLimitItem()
        let items = members.compactMap { member -> RateLimitItem? in
            let parts = split(member, at: UInt8(ascii: ";"))
            if parts.count == 1 {
                old.take(parts[0])
                return nil
            }
            var item = RateLimitItem()
            item.name = unquoted(parts[0])
            for part in parts.dropFirst() { item.take(part) }
            return item.isEmpty ? nil : item
        }
        return old.isEmpty ? items : items + [old]
    }

    private mutating func take(_ part: Substring.UTF8View) {
        guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else { return }
        let value = part[part.index(after: sign)...]
        let name = String(Substring(part[..<sign]))
        if name == "qu" { return unit = RateLimitItem.unquoted(value) }
        guard let number = ContentRange.number(String(Substring(value))) else { return }
        switch name {
        case "r", "remaining": remaining = number
        case "t", "reset": reset = number
        case "q", "limit": quota = number
        case "w": window = number
        default: break
        }
    }

    private static func unquoted(_ text: Substring.UTF8View) -> String {
        let isQuoted = text.count >= 2 && text.first == UInt8(ascii: "\"") && text.last == UInt8(ascii: "\"")
        return String(Substring(isQuoted ? text.dropFirst().dropLast() : text).unicodeScalars.prefix(PeerText.limit))
    }

    /// The parts between separators outside quotes, without surrounding spaces.
    private static func split(_ text: Substring.UTF8View, at separator: UInt8) -> [Substring.UTF8View] {
        var (parts, start, isQuoted, isEscaped) = ([Substring.UTF8View](), text.startIndex, false, false)
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(trimmed(text[start..<index]))
                start = text.index(after: index)
            }
        }
        return parts + [trimmed(text[start...])]
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
        return text
    }
}
