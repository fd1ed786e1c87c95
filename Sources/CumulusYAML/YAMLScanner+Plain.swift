// SPDX-License-Identifier: Apache-2.0

/// Scalars without quotes (YAML 1.2.2 section 7.3.3).
extension YAMLScanner {
    /// Whether the byte here can begin a plain scalar.
    func startsPlain(inFlow: Bool) -> Bool {
        switch byte() {
        // A dash before a comma or a bracket is a text for other readers, too.
        case UInt8(ascii: "-"): return !YAMLScanner.endsWord(byte(1))
        case UInt8(ascii: "?"), UInt8(ascii: ":"): return !endsPlainWord(1, inFlow: inFlow)
        case UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"), UInt8(ascii: "|"),
            UInt8(ascii: ">"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "%"), UInt8(ascii: "@"),
            UInt8(ascii: "`"):
            return false
        case let other: return !YAMLScanner.endsWord(other) && !YAMLScanner.isFlowIndicator(other)
        }
    }

    /// Reads a plain scalar.
    ///
    /// Further lines belong to it if they have at least `indent` spaces.
    mutating func plainScalar(indent: Int, inFlow: Bool) -> String {
        var text = ArraySlice<UInt8>()
        while true {
            let part = plainPart(inFlow: inFlow)
            if text.isEmpty { text = part } else { text += part }
            let end = mark
            skipBlanks()
            guard let breaks = plainBreaks(indent: indent, inFlow: inFlow) else {
                returnTo(end)
                return String(decoding: text, as: UTF8.self)
            }
            YAMLScanner.fold(breaks, into: &text)
        }
    }

    /// Adds what line ends between two texts stand for: a space for one, or line feeds for the others.
    static func fold(_ breaks: Int, into text: inout ArraySlice<UInt8>) {
        if breaks == 1 {
            text.append(UInt8(ascii: " "))
        } else {
            text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: breaks - 1))
        }
    }

    /// Reads the scalar's part in this line, without the blanks after it.
    private mutating func plainPart(inFlow: Bool) -> ArraySlice<UInt8> {
        let start = position
        var end = position
        while true {
            let next = byte()
            if YAMLScanner.isBlank(next) {
                position += 1
                continue
            }
            if YAMLScanner.isBreak(next) || next == 0 || inFlow && YAMLScanner.isFlowIndicator(next) { break }
            if next == UInt8(ascii: ":"), endsPlainWord(1, inFlow: inFlow) { break }
            if next == UInt8(ascii: "#"), end < position { break }
            position += 1
            end = position
        }
        position = end
        return bytes[start..<end]
    }

    /// Skips line ends and blanks before the scalar's next line; `nil` if it doesn't go on.
    private mutating func plainBreaks(indent: Int, inFlow: Bool) -> Int? {
        var breaks = 0
        while YAMLScanner.isBreak(byte()) {
            skipBreak()
            breaks += 1
            if isAtDocumentMarker { return nil }
            while byte() == UInt8(ascii: " ") { position += 1 }
            let spaces = column
            skipBlanks()
            if !inFlow, spaces < indent, !YAMLScanner.isBreak(byte()) { return nil }
        }
        guard breaks > 0, !isAtEnd, byte() != UInt8(ascii: "#") else { return nil }
        if inFlow, YAMLScanner.isFlowIndicator(byte()) { return nil }
        return byte() == UInt8(ascii: ":") && endsPlainWord(1, inFlow: inFlow) ? nil : breaks
    }

    private func endsPlainWord(_ offset: Int, inFlow: Bool) -> Bool {
        let next = byte(offset)
        return YAMLScanner.endsWord(next) || inFlow && YAMLScanner.isFlowIndicator(next)
    }
}
