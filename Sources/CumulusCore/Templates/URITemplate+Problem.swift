// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension URITemplate {
    /// A problem with a template, or with a value for one of its variables, and its position.
    public struct Problem: Error, Sendable, Hashable {
        /// The possible reasons.
        public enum Reason: String, Sendable, Hashable, CaseIterable {
            /// A `%` outside braces that is not followed by two hexadecimal digits.
            case malformedEscape = "a % without two hexadecimal digits"
            /// A character outside braces that a URI can't have: a space, a quotation mark, a closing brace.
            case forbiddenCharacter = "a character that is not allowed outside braces"
            /// An opening brace without a closing one.
            case unclosedExpression = "a { that is not closed"
            /// Braces without a variable.
            case emptyExpression = "an expression without a variable"
            /// An operator that RFC 6570 reserves, or doesn't define.
            case unknownOperator = "an operator that RFC 6570 doesn't define"
            /// A variable name with invalid characters.
            case malformedVariable = "a variable with an invalid name"
            /// A modifier that is neither `*` nor `:` with a number from 1 to 9999.
            case malformedModifier = "a modifier that is neither * nor : with a number from 1 to 9999"
            /// A template that is longer than ``URITemplate/maximumLength``.
            case tooLong = "too many bytes for a template"
            /// A prefix, such as `{name:3}`, for a list or a map.
            case prefixOfList = "a prefix of a list or a map"
            /// A list or map inside another list or map.
            case nestedValue = "a list or map in a list or map"
            /// An expansion that is longer than ``URITemplate/maximumExpansion``.
            case expansionTooLong = "too many bytes for an expansion"
        }

        /// The reason.
        public let reason: Reason
        /// The offset of the problem, in UTF-8 bytes from the beginning of the template.
        public let offset: Int
        /// The invalid expression or character, with its braces, truncated if it is long.
        public let part: String

        init(_ reason: Reason, at offset: Int, in part: String) {
            self.reason = reason
            self.offset = offset
            self.part = PeerText.printable(part, limit: 80)
        }
    }
}

extension URITemplate.Problem: CustomStringConvertible {
    /// The reason, and the position.
    public var description: String {
        "the template has \(reason.rawValue) at byte \(offset)\(part.isEmpty ? "" : ": \"\(part)\"")"
    }
}
