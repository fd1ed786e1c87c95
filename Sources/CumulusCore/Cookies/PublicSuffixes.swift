// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The names below which anybody may register one, such as `com`, `co.uk` and `github.io`
/// (https://publicsuffix.org/list/).
///
/// A cookie for such a name would be sent to unrelated sites. The rules of both parts of the list apply. Names are in
/// lower case, in ASCII, without a trailing dot.
enum PublicSuffixes {
    /// Whether a name is a public suffix; without a rule, a name of one label is.
    static func contains(_ name: String) -> Bool { suffix(of: name).startIndex == name.startIndex }

    /// The registered part of a host's name, `example.co.uk` in `www.example.co.uk`; `nil` if the host is itself a
    /// suffix.
    static func registeredName(of host: String) -> Substring? {
        let suffix = suffix(of: host)
        guard suffix.startIndex > host.startIndex else { return nil }
        let above = host[..<host.utf8.index(before: suffix.startIndex)]
        return host[(above.cut(atLast: ".")?.behind.startIndex ?? host.startIndex)...]
    }

    /// The longest suffix by the rules; without a rule the last label.
    static func suffix(of name: String) -> Substring {
        var rest = name[...]
        while true {
            let above = rest.cut(at: ".")?.behind
            if let rule = rule(of: rest) {
                if rule == .exception { return above ?? rest }
                if rule != .below { return rest }
            }
            guard let above else { return rest }
            if let rule = rule(of: above), rule == .below || rule == .both { return rest }
            rest = above
        }
    }

    /// The list's rule for a name.
    private enum Rule { case itself, below, both, exception }

    /// Looks a name up by binary search.
    private static func rule(of name: Substring) -> Rule? {
        PublicSuffixData.rules.withUTF8Buffer { text in
            var (low, high) = (0, text.count)
            while low < high {
                var start = low + (high - low) / 2
                while start > low, text[start - 1] != blank { start -= 1 }
                var end = start
                // The signs after a name are smaller than any byte of a name.
                while text[end] >= UInt8(ascii: "-") { end += 1 }
                switch compare(name.utf8, text[start..<end]) {
                case 0: return rule(marked: text[end])
                case ..<0: high = start
                default: low = text[end] == blank ? end + 1 : end + 2
                }
            }
            return nil
        }
    }

    private static let blank = UInt8(ascii: " ")

    private static func rule(marked sign: UInt8) -> Rule {
        switch sign {
        case UInt8(ascii: "*"): .below
        case UInt8(ascii: "+"): .both
        case UInt8(ascii: "!"): .exception
        default: .itself
        }
    }

    /// Negative, zero or positive, if the first name sorts before, equals, or sorts after the second.
    private static func compare(_ left: Substring.UTF8View, _ right: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var place = right.startIndex
        for byte in left {
            guard place < right.endIndex else { return 1 }
            if byte != right[place] { return byte < right[place] ? -1 : 1 }
            place += 1
        }
        return place < right.endIndex ? -1 : 0
    }
}
