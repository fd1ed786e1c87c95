// SPDX-License-Identifier: Apache-2.0

/// The data needed before formatting a document: whether its tags match, and which elements contain text.
struct XMLOutline {
    /// For each start tag in order, whether its element stays unchanged: it contains text, or only white space.
    private(set) var verbatim: [UInt64] = []
    /// Whether it is nested too deeply.
    private(set) var isTooDeep = false

    private struct Element {
        let name: Range<Int>
        let number: Int
        var hasElement = false
        var hasText = false
    }

    private let bytes: [UInt8]
    private var open: [Element] = []
    private var starts = 0
    private var hasRoot = false

    /// `nil` if it is not a document, or if it declares entities, whose text would be misleading.
    init?(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        var tokens = XMLTokens(bytes)
        while let token = tokens.next() {
            guard take(token, maximumDepth) else {
                if isTooDeep { return }
                return nil
            }
        }
        guard hasRoot, open.isEmpty else { return nil }
    }

    /// Whether the element of a start tag, by its number, stays unchanged.
    func isVerbatim(_ number: Int) -> Bool { verbatim[number >> 6] >> UInt64(number & 63) & 1 == 1 }

    private mutating func take(_ token: XMLTokens.Token, _ maximumDepth: Int) -> Bool {
        switch token.kind {
        case .text: return takeText(token.place)
        case .other: return takeOther(token.place)
        case .start, .empty:
            let name = name(in: token.place, behind: 1)
            guard !name.isEmpty, bytes[token.place.upperBound - 1] == UInt8(ascii: ">") else { return false }
            if open.isEmpty {
                guard !hasRoot else { return false }
                hasRoot = true
            } else {
                open[open.count - 1].hasElement = true
            }
            if token.kind == .empty { return true }
            guard open.count < maximumDepth else {
                isTooDeep = true
                return false
            }
            open.append(Element(name: name, number: starts))
            if starts & 63 == 0 { verbatim.append(0) }
            starts += 1
            return true
        case .end:
            let name = name(in: token.place, behind: 2)
            guard let element = open.popLast(), bytes[element.name].elementsEqual(bytes[name]),
                bytes[token.place.upperBound - 1] == UInt8(ascii: ">")
            else { return false }
            if element.hasText || !element.hasElement { verbatim[element.number >> 6] |= 1 << (element.number & 63) }
            return true
        }
    }

    private mutating func takeOther(_ place: Range<Int>) -> Bool {
        if !open.isEmpty { open[open.count - 1].hasElement = true }
        guard bytes[place.upperBound - 1] == UInt8(ascii: ">") else { return false }
        let isType = place.count > 2 && bytes[place.lowerBound + 1] == UInt8(ascii: "!") && !isComment(place)
        guard isType else { return true }
        let mark = Array("<!ENTITY".utf8)
        return !place.dropLast(mark.count).contains { bytes[$0...].starts(with: mark) }
    }

    private func isComment(_ place: Range<Int>) -> Bool { bytes[place.lowerBound...].starts(with: "<!--".utf8) }

    private mutating func takeText(_ place: Range<Int>) -> Bool {
        let text = bytes[place]
        let isBlank = text.allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard !isBlank else { return true }
        if open.isEmpty {
            // There may be a byte order mark at the beginning.
            return place.lowerBound == 0 && text.elementsEqual([0xEF, 0xBB, 0xBF])
        }
        open[open.count - 1].hasText = true
        return text.first == UInt8(ascii: "<") || areReferencesKnown(in: text)
    }

    /// Whether each `&` begins a reference that XML predefines.
    private func areReferencesKnown(in text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let place = rest.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[(place + 1)...]
            guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return false }
            let name = rest[..<end]
            let isKnown = ["amp", "lt", "gt", "quot", "apos"].contains { name.elementsEqual($0.utf8) }
            guard isKnown || name.first == UInt8(ascii: "#") else { return false }
        }
        return true
    }

    private func name(in place: Range<Int>, behind count: Int) -> Range<Int> {
        let start = min(place.lowerBound + count, place.upperBound)
        var end = start
        while end < place.upperBound, !XMLOutline.endsName(bytes[end]) { end += 1 }
        return start..<end
    }

    static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
}
