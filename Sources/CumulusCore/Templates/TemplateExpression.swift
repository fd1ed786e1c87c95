// SPDX-License-Identifier: Apache-2.0

/// What stands between two braces of a template: an operator and variables (RFC 6570 section 2.2).
struct TemplateExpression: Sendable, Hashable {
    /// The operators, by their characters.
    enum Kind: UInt8, Sendable, Hashable {
        case simple = 0
        case reserved = 0x2B  // +
        case fragment = 0x23  // #
        case label = 0x2E  // .
        case segment = 0x2F  // /
        case parameter = 0x3B  // ;
        case query = 0x3F  // ?
        case continuation = 0x26  // &
    }

    enum Modifier: Sendable, Hashable {
        case none
        /// At most so many characters.
        case prefix(Int)
        /// Each element by itself.
        case explode
    }

    struct Variable: Sendable, Hashable {
        let name: String
        let modifier: Modifier
    }

    let kind: Kind
    let variables: [Variable]
    /// As it is written, with its braces, and where that begins.
    let text: String
    let offset: Int
}

extension TemplateExpression.Kind {
    /// What stands before the first value.
    var first: UInt8? { self == .simple || self == .reserved ? nil : rawValue }

    /// What stands between values.
    var separator: UInt8 {
        switch self {
        case .simple, .reserved, .fragment: UInt8(ascii: ",")
        case .label, .segment, .parameter: rawValue
        case .query, .continuation: UInt8(ascii: "&")
        }
    }

    /// Whether values stand behind the variable's name.
    var isNamed: Bool { self == .parameter || self == .query || self == .continuation }

    /// Whether a name without a value has its `=`.
    var marksEmpty: Bool { self == .query || self == .continuation }

    /// Whether reserved characters, and escapes that are there already, stay as they are.
    var keepsReserved: Bool { self == .reserved || self == .fragment }
}
