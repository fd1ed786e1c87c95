// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// The reason and the position at which bytes were refused as JSON.
    public struct ParsingError: Error, Sendable, Hashable {
        /// The kind of mistake in the text.
        public let reason: Reason

        /// The offset of the first invalid byte, counted from 0.
        public let offset: Int

        /// The line of the first invalid byte, counted from 1.
        public let line: Int

        /// The column of the first invalid byte in Unicode scalars, counted from 1.
        public let column: Int

        /// The reasons for refusing JSON text.
        public enum Reason: String, Sendable, Hashable, CaseIterable {
            /// The text ends inside a value, or is empty.
            case unexpectedEnd = "the text ends too early"
            /// A byte is not allowed by the grammar at its position.
            case unexpectedByte = "unexpected byte"
            /// The value is followed by something other than white space.
            case trailingBytes = "unexpected content after the end of the value"
            /// A number doesn't follow the grammar: it has a leading zero, has no digit after the decimal point, ...
            case invalidNumber = "invalid number"
            /// A string contains an unescaped control character.
            case controlCharacter = "a control character must be escaped"
            /// A backslash is followed by something other than an escape.
            case invalidEscape = "invalid escape sequence"
            /// An escaped surrogate is unpaired.
            case loneSurrogate = "an escaped surrogate is not part of a pair"
            /// The bytes are not UTF-8.
            case invalidUTF8 = "invalid UTF-8"
            /// Arrays and objects are nested deeper than the limit.
            case tooDeep = "arrays and objects are nested too deeply"
        }
    }
}

extension JSON.ParsingError {
    /// Finds the line and column of a byte.
    init(_ reason: Reason, at offset: Int, in bytes: UnsafeRawBufferPointer) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(reason: reason, offset: offset, line: line, column: column)
    }
}

extension JSON.ParsingError: CustomStringConvertible {
    /// The reason and the position, in one line.
    public var description: String { "\(reason.rawValue) (line \(line), column \(column), byte \(offset))" }
}
