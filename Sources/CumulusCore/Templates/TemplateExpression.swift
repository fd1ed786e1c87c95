// SPDX-License-Identifier: Apache-2.0

/// An expression in the braces of a template: an operator and variables (RFC 6570 section 2.2).
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
        /// At most this number of characters.
        case prefix(Int)
        /// Each element separately.
        case explode
    }

    struct Variable: Sendable, Hashable {
        let name: String
        let modifier: Modifier
    }

    let kind: Kind
    let variables: [Variable]
    /// The expression as written, with its braces, and its offset.
    let text: String
    let offset: Int
}

extension TemplateExpression.Kind {
    /// The character before the first value.
    var first: UInt8? { self == .simple || self == .reserved ? nil : rawValue }

    /// The character between values.
    var separator: UInt8 {
        switch self {
        case .simple, .reserved, .fragment: UInt8(ascii: ",")
        case .label, .segment, .parameter: rawValue
        case .query, .continuation: UInt8(ascii: "&")
        }
    }

    /// Whether the variable's name precedes its value.
    var isNamed: Bool { self == .parameter || self == .query || self == .continuation }

    /// Whether a name without a value is followed by `=`.
    var marksEmpty: Bool { self == .query || self == .continuation }

    /// Whether reserved characters, and existing escapes, are kept.
    var keepsReserved: Bool { self == .reserved || self == .fragment }
}
