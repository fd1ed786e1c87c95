// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension JSON {
    /// A JSON number, kept exactly.
    ///
    /// 64-bit integers are stored in a fast form; every other parsed number keeps its text. Nothing is rounded until
    /// you request a `Double`. Numbers are compared by value: `1`, `1.0` and `10e-1` are equal.
    public struct Number: Sendable {
        /// The fast forms, and the text for everything else.
        enum Storage: Sendable {
            case signed(Int64)
            /// Only above `Int64.max`.
            case unsigned(UInt64)
            /// Always finite.
            case double(Double)
            /// Follows the grammar of RFC 8259, section 6, and isn't one of the integers above.
            case text(String)
        }

        let storage: Storage
    }
}

extension JSON.Number {
    /// Creates a number from an integer of any width.
    public init(_ integer: some BinaryInteger) {
        if let signed = Int64(exactly: integer) {
            storage = .signed(signed)
        } else if let unsigned = UInt64(exactly: integer) {
            storage = .unsigned(unsigned)
        } else {
            storage = .text(String(integer))
        }
    }

    /// Creates a number from a `Double`, or `nil` if it is infinite or NaN: JSON has neither.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        storage = .double(double)
    }

    /// Creates a number from its text, or `nil` if that isn't a number as defined by RFC 8259, section 6.
    public init?(text: String) {
        var text = text
        let parsed = text.withUTF8 { utf8 -> JSON.Number? in
            guard var parser = JSONParser.make(UnsafeRawBufferPointer(utf8), maximumDepth: 1) else { return nil }
            return try? parser.loneNumber()
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// The number as an `Int`, or `nil` if it has a fraction or doesn't fit.
    public var int: Int? { integer(Int.self) }

    /// The nearest `Double`; infinite if the number is too large for one.
    public var double: Double {
        switch storage {
        case .signed(let integer): Double(integer)
        case .unsigned(let integer): Double(integer)
        case .double(let double): double
        case .text(let text): Double(text) ?? .nan
        }
    }

    /// The number as it was written, or as it will be written.
    ///
    /// For a `Double`, this is the shortest text that reads back as the same value, without a trailing `.0`.
    public var text: String {
        switch storage {
        case .signed(let integer): return String(integer)
        case .unsigned(let integer): return String(integer)
        case .double(let double): return JSON.Number.text(of: double.description)
        case .text(let text): return text
        }
    }

    /// The beginning of the text, for errors.
    var shown: String { PeerText.printable(text, limit: 40) }

    /// Drops the `.0` of a whole floating-point number's description, as other writers of JSON do.
    static func text(of description: String) -> String {
        description.ends(with: ".0") ? String(description.dropLast(2)) : description
    }

    /// The number as an integer of that type, or `nil` if it has a fraction or doesn't fit.
    func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        switch storage {
        case .signed(let integer): T(exactly: integer)
        case .unsigned(let integer): T(exactly: integer)
        case .double(let double): T(exactly: double)
        case .text(let text): JSONDecimal(text)?.integer(T.self)
        }
    }
}

extension JSON.Number: Hashable {
    /// A form that is the same for all notations of a number.
    private enum Canonical: Hashable {
        case signed(Int64)
        case unsigned(UInt64)
        case decimal(JSONDecimal)
        case text(String)
    }

    private var canonical: Canonical {
        switch storage {
        case .signed(let integer): return .signed(integer)
        case .unsigned(let integer): return .unsigned(integer)
        case .double, .text:
            let text = self.text
            guard let decimal = JSONDecimal(text) else { return .text(text) }
            if let integer = decimal.integer(Int64.self) { return .signed(integer) }
            if let integer = decimal.integer(UInt64.self) { return .unsigned(integer) }
            return .decimal(decimal)
        }
    }

    /// Whether two numbers have the same value, regardless of notation.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.storage, right.storage) {
        case (.signed(let left), .signed(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        default: left.canonical == right.canonical
        }
    }

    /// Hashes the value, regardless of its notation.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension JSON.Number: CustomStringConvertible {
    /// The same as `text`.
    public var description: String { text }
}

extension JSON.Number: ExpressibleByIntegerLiteral {
    /// Creates a number from an integer literal.
    public init(integerLiteral value: Int64) { storage = .signed(value) }
}
