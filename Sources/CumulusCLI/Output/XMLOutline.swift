// SPDX-License-Identifier: Apache-2.0

/// Which elements of a well-formed document contain text, and so stay as they are.
struct XMLOutline {
    /// For each start tag in order, whether its element stays unchanged: it contains text, or only white space.
    private var verbatim: [UInt64] = []

    private struct Element {
        let number: Int
        var hasElement = false
        var hasText = false
    }

    init(_ bytes: [UInt8]) {
        var tokens = XMLTokens(bytes)
        var open: [Element] = []
        var starts = 0
        while let token = tokens.next() {
            switch token.kind {
            case .text:
                let isBlank = bytes[token.place].allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
                if !isBlank, !open.isEmpty { open[open.count - 1].hasText = true }
            case .start, .empty, .other:
                if !open.isEmpty { open[open.count - 1].hasElement = true }
                guard token.kind == .start else { continue }
                open.append(Element(number: starts))
                if starts & 63 == 0 { verbatim.append(0) }
                starts += 1
            case .end:
                guard let element = open.popLast(), element.hasText || !element.hasElement else { continue }
                verbatim[element.number >> 6] |= 1 << (element.number & 63)
            }
        }
    }

    /// Whether the element of a start tag, by its number, stays unchanged.
    func isVerbatim(_ number: Int) -> Bool { verbatim[number >> 6] >> UInt64(number & 63) & 1 == 1 }

    static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
}
