// SPDX-License-Identifier: Apache-2.0

/// Splits text from outside at ASCII characters, by its bytes.
///
/// The standard library's `split`, `hasPrefix` and similar functions work on characters: a mark or a joiner after a `/`
/// combines with it into another character, which they don't find, but a reader of bytes does. All of it is inlinable:
/// another module would call unspecialized code.
extension StringProtocol where SubSequence == Substring, UTF8View: BidirectionalCollection {
    @inlinable package func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    @inlinable package func ends(with text: String) -> Bool {
        utf8.count >= text.utf8.count && utf8.suffix(text.utf8.count).elementsEqual(text.utf8)
    }

    /// Whether this text contains another.
    @inlinable package func has(_ text: String) -> Bool { place(of: text) != nil }

    /// Whether this text contains one of some ASCII characters.
    @inlinable package func has(anyOf characters: Unicode.Scalar...) -> Bool {
        utf8.contains { byte in characters.contains { $0.value == UInt32(byte) } }
    }

    /// The first occurrence of a text in this one.
    @inlinable package func place(of text: String) -> Range<Index>? {
        guard let first = text.utf8.first else { return startIndex..<startIndex }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: text.utf8) { return start..<utf8.index(start, offsetBy: text.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The parts between ASCII characters; empty parts are kept unless `omitsEmpty` is true.
    @inlinable package func parts(at separator: Unicode.Scalar, most: Int = .max, omitsEmpty: Bool = false)
        -> [Substring]
    {
        utf8.split(separator: UInt8(ascii: separator), maxSplits: most - 1, omittingEmptySubsequences: omitsEmpty)
            .map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The text before and after the first occurrence of an ASCII character; `nil` if there is none.
    @inlinable package func cut(at separator: Unicode.Scalar) -> (before: Substring, behind: Substring)? {
        utf8.firstIndex(of: UInt8(ascii: separator)).map { (self[..<$0], self[utf8.index(after: $0)...]) }
    }

    /// The text before and after the last occurrence of an ASCII character; `nil` if there is none.
    @inlinable package func cut(atLast separator: Unicode.Scalar) -> (before: Substring, behind: Substring)? {
        utf8.lastIndex(of: UInt8(ascii: separator)).map { (self[..<$0], self[utf8.index(after: $0)...]) }
    }

    /// The text before the first of some ASCII characters; all of it if there is none.
    @inlinable package func before(_ ends: Unicode.Scalar...) -> Substring {
        let end = utf8.firstIndex { byte in ends.contains { $0.value == UInt32(byte) } }
        return self[..<(end ?? endIndex)]
    }

    /// The text without some ASCII characters at its beginning.
    @inlinable package func dropping(_ characters: Unicode.Scalar...) -> Substring {
        let start = utf8.firstIndex { byte in !characters.contains { $0.value == UInt32(byte) } }
        return self[(start ?? endIndex)...]
    }

    /// The text without spaces and tabs at both ends.
    @inlinable package var trimmed: Substring {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let start = utf8.firstIndex(where: { !isBlank($0) }), let end = utf8.lastIndex(where: { !isBlank($0) })
        else { return self[endIndex...] }
        return self[start...end]
    }

    /// The text without spaces, tabs and ends of lines at both ends: what XML calls white space.
    @inlinable package var trimmedOfLines: Substring {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        guard let start = utf8.firstIndex(where: { !isSpace($0) }), let end = utf8.lastIndex(where: { !isSpace($0) })
        else { return self[endIndex...] }
        return self[start...end]
    }
}
