// SPDX-License-Identifier: Apache-2.0

/// Splits a body into lines, or into the texts of JSON values: pieces of bytes in, elements out.
///
/// A value without I/O. It holds at most one element that is not complete, of at most `limit` bytes.
struct ElementSplitter: Sendable {
    /// The separation of the elements.
    enum Form: Sendable {
        /// Lines, which end at a line feed, or at a carriage return and a line feed.
        case lines
        /// JSON texts, each after a record separator (RFC 7464).
        case jsonSequence
        /// JSON texts, one after the other, with any white space between them.
        case concatenatedJSON
    }

    /// A line without its end, or the text of a JSON value.
    struct Element: Sendable {
        let bytes: [UInt8]
        /// The number of the line on which it begins, from 1.
        let line: Int
        /// The number of the value in the body, from 1; `nil` for a line.
        let number: Int?
        /// The reason why it can't be a value; `nil` if it may be one.
        var problem: CodingProblem?
    }

    private let form: Form
    private let limit: Int
    /// The number of line ends so far.
    private(set) var line: Int
    /// The number of values so far.
    private(set) var number: Int
    private var partial: [UInt8] = []
    private var state = JSONTextBoundary()
    /// The line on which the value begins.
    private var firstLine = 0

    /// Starts after some lines and values.
    init(_ form: Form, limit: Int, line: Int, number: Int) {
        (self.form, self.limit, self.line, self.number) = (form, limit, line, number)
        state.needsSeparator = form == .jsonSequence
    }

    /// Reads bytes up to the end of an element.
    ///
    /// - Parameters:
    ///   - bytes: A piece of the body.
    ///   - position: The index of the first byte that has not been read; moved behind those that were.
    /// - Returns: The element; `nil` if the piece ends before the element does.
    /// - Throws: ``LineProblem`` if the element is too long.
    mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) throws(LineProblem) -> Element? {
        form == .lines ? try nextLine(in: bytes, from: &position) : try nextValue(in: bytes, from: &position)
    }

    /// Returns the element that the end of the body ends, or `nil` if nothing precedes it.
    mutating func finish() -> Element? {
        guard form != .lines else { return partial.isEmpty ? nil : completeLine() }
        return state.isWithinText ? completeValue(isCut: state.isCutByEnd) : nil
    }

    // MARK: Lines

    private mutating func nextLine(
        in bytes: UnsafeRawBufferPointer,
        from position: inout Int
    ) throws(LineProblem) -> Element? {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
        firstLine = line + 1
        try hold(UnsafeRawBufferPointer(rebasing: bytes[position..<(end ?? bytes.count)]))
        position = end.map { $0 + 1 } ?? bytes.count
        return end == nil ? nil : completeLine()
    }

    private mutating func completeLine() -> Element {
        line += 1
        if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
        defer { partial = [] }
        return Element(bytes: partial, line: line, number: nil)
    }

    // MARK: Values

    private mutating func nextValue(
        in bytes: UnsafeRawBufferPointer,
        from position: inout Int
    ) throws(LineProblem) -> Element? {
        if !state.isWithinText {
            // Only a byte order mark may precede the first value.
            let start = state.skip(in: bytes, from: position, isFirst: number == 0)
            countLines(in: bytes[position..<start])
            position = start
            guard start < bytes.count else { return nil }
            firstLine = line + 1
        }
        let end = state.end(in: bytes, from: position)
        let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<(end ?? bytes.count)])
        countLines(in: piece)
        position = end ?? bytes.count
        try hold(piece)
        return end == nil ? nil : completeValue(isCut: state.isCut)
    }

    private mutating func completeValue(isCut: Bool) -> Element {
        number += 1
        defer {
            partial = []
            state = JSONTextBoundary()
            state.needsSeparator = form == .jsonSequence
        }
        var element = Element(bytes: partial, line: firstLine, number: number)
        if state.lacksSeparator {
            element.problem = CodingProblem("the value doesn't follow a record separator (0x1E)")
        } else if isCut {
            element.problem = CodingProblem("the value is not complete")
        }
        return element
    }

    private mutating func countLines(in bytes: some Sequence<UInt8>) {
        for byte in bytes where byte == UInt8(ascii: "\n") { line += 1 }
    }

    /// Keeps the beginning of an element until the other bytes arrive.
    private mutating func hold(_ piece: UnsafeRawBufferPointer) throws(LineProblem) {
        guard partial.count + piece.count <= limit else {
            partial.append(contentsOf: piece.prefix(DecodingProblem.excerptLimit))
            let problem = CodingProblem("it is longer than the allowed \(limit) bytes")
            let value = form == .lines ? nil : number + 1
            throw LineProblem(line: firstLine, value: value, cause: problem, in: ByteChunk(partial))
        }
        partial.append(contentsOf: piece)
    }
}

/// The bounds of a JSON text in a stream of bytes: it knows strings and brackets, and nothing else of JSON.
private struct JSONTextBoundary: Sendable {
    /// Whether a text must follow a record separator.
    var needsSeparator = false
    /// Whether the text doesn't follow a record separator, although it must.
    private(set) var lacksSeparator = false
    private(set) var isWithinText = false
    /// Whether the text ended before its value was complete.
    private(set) var isCut = false
    private var hasSeparator = false
    private var isScalar = false
    private var isString = false
    private var isEscaped = false
    private var depth = 0

    private static let separator: UInt8 = 0x1E

    /// Whether a text that the end of the body ends is cut: a number could have had more digits (RFC 7464 section 2.4).
    var isCutByEnd: Bool { needsSeparator || !isScalar }

    /// The index of the text's first byte; the number of bytes if only white space is left.
    mutating func skip(in bytes: UnsafeRawBufferPointer, from start: Int, isFirst: Bool) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.separator, needsSeparator {
                hasSeparator = true
            } else if !Self.isSpace(byte), !(isFirst && (byte == 0xEF || byte == 0xBB || byte == 0xBF)) {
                return index
            }
            index += 1
        }
        return index
    }

    /// The index after the text's last byte; `nil` if it isn't complete.
    mutating func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        if !isWithinText {
            isWithinText = true
            lacksSeparator = needsSeparator && !hasSeparator
            isScalar = !Self.opens(bytes[index])
        }
        while index < bytes.count {
            let byte = bytes[index]
            if needsSeparator, byte == Self.separator {
                isCut = true
                return index
            }
            // Without its separator, a text may be the remains of another one.
            if !lacksSeparator, ends(with: byte) { return isScalar ? index : index + 1 }
            index += 1
        }
        return nil
    }

    /// Whether the byte is the last one of the text, or the first one after a number, `true`, `false` or `null`.
    private mutating func ends(with byte: UInt8) -> Bool {
        if isString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isString = false
                return depth == 0
            }
            return false
        }
        if isScalar { return Self.isSpace(byte) || Self.opens(byte) }
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            return depth == 0
        default: break
        }
        return false
    }

    private static func opens(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
