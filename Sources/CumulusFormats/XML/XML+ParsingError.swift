// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension XML {
    /// The reason and the position at which bytes were refused as XML.
    public struct ParsingError: Error, Sendable, Hashable {
        /// The kind of mistake in the document.
        public let reason: Reason
        /// The offset of the invalid byte in UTF-8, counted from 0, regardless of the document's charset.
        public let offset: Int
        /// The line of the invalid byte, counted from 1.
        public let line: Int
        /// The column of the invalid byte in Unicode scalars, counted from 1.
        public let column: Int

        /// The reasons for refusing XML.
        public enum Reason: String, Sendable, Hashable, CaseIterable {
            /// The document ends prematurely, or is empty.
            case unexpectedEnd = "the document ends too early"
            /// A character is not allowed there by the grammar.
            case unexpectedByte = "unexpected character"
            /// Something other than comments and white space follows the root element.
            case trailingBytes = "unexpected content after the end of the root element"
            /// An end tag doesn't match the open element.
            case wrongEndTag = "this end tag doesn't match the open element"
            /// An attribute occurs twice in one tag.
            case repeatedAttribute = "duplicate attribute"
            /// A reference is neither one of the five entities nor a character.
            case unknownEntity = "unknown entity; declaring entities is not supported"
            /// A character reference names a character that XML doesn't allow.
            case invalidCharacterReference = "this reference refers to a character that XML doesn't allow"
            /// The document declares entities, which are never expanded.
            case entityDeclaration = "entity declarations are not supported"
            /// A character that XML doesn't allow.
            case invalidCharacter = "this character is not allowed in XML"
            /// The bytes are not UTF-8.
            case invalidUTF8 = "invalid UTF-8"
            /// The bytes are invalid in the charset that the document or the response names, or that charset is
            /// unknown.
            case invalidCharset = "the document doesn't match its charset, or the charset is unknown"
            /// Elements are nested deeper than the limit.
            case tooDeep = "elements are nested too deeply"
            /// There are more elements, attributes and text nodes than the limit.
            case tooLarge = "there are too many elements, attributes and text nodes"
        }
    }
}

extension XML.ParsingError: LocatedProblem, CustomStringConvertible {
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

    /// The reason and the position, in one line.
    public var description: String { "\(reason.rawValue) (line \(line), column \(column), byte \(offset))" }
}
