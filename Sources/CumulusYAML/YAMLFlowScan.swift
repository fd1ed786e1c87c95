// SPDX-License-Identifier: Apache-2.0

/// Finds keys that are lists or maps in brackets, `{a: 1}: 2`, and ignores keys that only contain brackets,
/// `/users/{id}: 2`.
///
/// It never misses a key, but may report one by mistake.
struct YAMLFlowScan {
    /// Whether a key in brackets was found.
    private(set) var hasKey = false
    /// Whether brackets from an earlier line may be open.
    private var isInside = false

    /// Reads a line without its indentation.
    mutating func read(_ line: ArraySlice<UInt8>) {
        var open: [UInt8] = []
        var before = UInt8(ascii: " ")
        // A bracket after a word is part of that word, unless brackets are open.
        var (hasCollection, isPlain) = (false, true)
        for (index, byte) in zip(line.indices, line) {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(byte)
                if " \t[{,:?-".utf8.contains(before) { hasCollection = true }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                let fits = open.popLast() == (byte == UInt8(ascii: "]") ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                if !fits { isPlain = false }
                let next = line[(index + 1)...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                if next == UInt8(ascii: ":"), isInside || hasCollection || !fits { hasKey = true }
            // Bytes that may hide a bracket: quotes, comments, tags.
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "#"), UInt8(ascii: "!"): isPlain = false
            default: break
            }
            before = byte
        }
        // Brackets that were opened and closed on one line, with nothing in between that could hide one.
        if hasCollection, !isPlain || !open.isEmpty { isInside = true }
    }
}
