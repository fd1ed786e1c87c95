// SPDX-License-Identifier: Apache-2.0

extension XML {
    /// Why bytes were refused as XML, and where.
    public struct ParsingError: Error, Sendable, Hashable {
        /// What was wrong.
        public let reason: Reason
        /// The place of the first byte in error, counted from 0; in UTF-8, whatever charset the document is in.
        public let offset: Int
        /// The line of that byte, counted from 1.
        public let line: Int
        /// The place of that byte in its line, in Unicode scalars, counted from 1.
        public let column: Int

        /// What can be wrong with XML.
        public enum Reason: String, Sendable, Hashable, CaseIterable {
            /// The document ends inside something, or is empty.
            case unexpectedEnd = "The document ends too early."
            /// Something stands where the grammar has no place for it.
            case unexpectedByte = "Unexpected character."
            /// Something other than comments and white space follows the root element.
            case trailingBytes = "Unexpected content after the end of the root element."
            /// An end tag closes another element than the one that is open.
            case wrongEndTag = "This end tag doesn't match the open element."
            /// An attribute comes twice in one tag.
            case repeatedAttribute = "Duplicate attribute."
            /// A reference is neither one of the five entities nor a character.
            case unknownEntity = "Unknown entity; declaring entities is not supported."
            /// A character reference names a character that XML doesn't have.
            case invalidCharacterReference = "This reference is not to an XML character."
            /// The document declares entities of its own, which are never expanded.
            case entityDeclaration = "Entity declarations are refused."
            /// A character that XML doesn't have.
            case invalidCharacter = "This character is not allowed in XML."
            /// The bytes are not UTF-8.
            case invalidUTF8 = "Invalid UTF-8."
            /// The bytes are none in the charset that the document or the response names, or it is not known.
            case invalidCharset = "The document doesn't match its charset, or the charset is not known."
            /// Elements are nested deeper than the limit.
            case tooDeep = "Elements are nested too deeply."
            /// There are more elements, attributes and texts than the limit.
            case tooLarge = "There are too many elements, attributes and text nodes."
        }
    }
}

extension XML.ParsingError: LocatedProblem, CustomStringConvertible {
    /// Finds line and column of a byte.
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

    /// The reason and the place, in one line.
    public var description: String { "\(reason.rawValue) (line \(line), column \(column), byte \(offset))" }
}
