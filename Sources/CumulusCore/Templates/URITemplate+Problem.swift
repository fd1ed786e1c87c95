// SPDX-License-Identifier: Apache-2.0

extension URITemplate {
    /// What is wrong with a template, or with a value for one of its variables, and where.
    public struct Problem: Error, Sendable, Hashable {
        /// What is wrong.
        public enum Reason: String, Sendable, Hashable, CaseIterable {
            /// A `%` outside braces without two hexadecimal digits behind it.
            case malformedEscape = "a % without two hexadecimal digits"
            /// A character outside braces that no URI has: a blank, a quotation mark, a closing brace.
            case forbiddenCharacter = "a character that is not allowed outside braces"
            /// An opening brace without a closing one.
            case unclosedExpression = "a { that is not closed"
            /// Braces without a variable.
            case emptyExpression = "an expression without a variable"
            /// An operator that RFC 6570 keeps for later, or none at all.
            case unknownOperator = "an operator that RFC 6570 doesn't define"
            /// A variable's name with characters that a name can't have.
            case malformedVariable = "a variable with an invalid name"
            /// Something other than `*`, or `:` and a number from 1 to 9999, behind a variable.
            case malformedModifier = "a modifier that is neither * nor : with a number from 1 to 9999"
            /// The template is longer than ``URITemplate/maximumLength``.
            case tooLong = "too many bytes for a template"
            /// `{name:3}` of a list or a map.
            case prefixOfList = "a prefix of a list or a map"
            /// A list or map in a list or map.
            case nestedValue = "a list or map in a list or map"
            /// The expansion is longer than ``URITemplate/maximumExpansion``.
            case expansionTooLong = "too many bytes for an expansion"
        }

        /// What is wrong.
        public let reason: Reason
        /// Where, in bytes of UTF-8 from the beginning of the template.
        public let offset: Int
        /// The expression or character that is wrong, with its braces, cut off if it is long.
        public let part: String

        init(_ reason: Reason, at offset: Int, in part: String) {
            self.reason = reason
            self.offset = offset
            self.part = PeerText.printable(part, limit: 80)
        }
    }
}

extension URITemplate.Problem: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String {
        "the template has \(reason.rawValue) at byte \(offset)\(part.isEmpty ? "" : ": \"\(part)\"")"
    }
}
