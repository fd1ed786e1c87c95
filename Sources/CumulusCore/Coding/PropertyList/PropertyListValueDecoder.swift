// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A `Decoder` of one value in a parsed property list; each knows its parent, and so its path.
///
/// Accepts what Foundation's decoder accepts: numbers of either kind if nothing is lost, and `$null`, which it writes
/// for `nil`.
final class PropertyListValueDecoder: Decoder {
    let value: PropertyList
    private let key: JSONPathStep
    private let parent: PropertyListValueDecoder?

    init(_ value: PropertyList, key: JSONPathStep = .none, parent: PropertyListValueDecoder? = nil) {
        self.value = value
        self.key = key
        self.parent = parent
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: PropertyListValueDecoder? = self
        while let current = decoder {
            if let key = current.key.key { path.append(key) }
            decoder = current.parent
        }
        return path.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let members) = value else { throw mismatch([String: Any].self, value, at: .none) }
        return KeyedDecodingContainer(PropertyListKeyedDecodingContainer(members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Any].self, value, at: .none) }
        return PropertyListUnkeyedDecodingContainer(elements, decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// The decoder of a child value.
    func child(_ value: PropertyList, at step: JSONPathStep) -> PropertyListValueDecoder {
        if case .none = step { return self }
        return PropertyListValueDecoder(value, key: step, parent: self)
    }

    // MARK: Values

    func bool(_ value: PropertyList, at step: JSONPathStep) throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(Bool.self, value, at: step) }
        return bool
    }

    func string(_ value: PropertyList, at step: JSONPathStep) throws -> String {
        guard case .string(let string) = value, !value.isNull else { throw mismatch(String.self, value, at: step) }
        return string
    }

    func integer<T: FixedWidthInteger>(_ value: PropertyList, at step: JSONPathStep) throws -> T {
        let integer: T?
        switch value {
        case .integer(let number): integer = T(exactly: number)
        case .real(let number): integer = T(exactly: number)
        default: throw mismatch(T.self, value, at: step)
        }
        guard let integer else { throw corrupted("The number does not fit in \(T.self).", at: step) }
        return integer
    }

    func float<T: BinaryFloatingPoint>(_ value: PropertyList, at step: JSONPathStep) throws -> T {
        switch value {
        case .integer(let number): return T(number)
        case .real(let number):
            // Rounds if necessary: a `Float` that was written as text is read as the `Double` of that text.
            let float = T(number)
            guard float.isFinite || !number.isFinite else {
                throw corrupted("The number does not fit in \(T.self).", at: step)
            }
            return float
        default: throw mismatch(T.self, value, at: step)
        }
    }

    /// Decodes any type; dates and bytes are values of their own in property lists.
    func unwrap<T: Decodable>(_ value: PropertyList, as type: T.Type, at step: JSONPathStep) throws -> T {
        let special: Any
        if type == Date.self {
            guard case .date(let date) = value else { throw mismatch(type, value, at: step) }
            special = date
        } else if type == Data.self {
            guard case .data(let data) = value else { throw mismatch(type, value, at: step) }
            special = data
        } else {
            return try T(from: child(value, at: step))
        }
        guard let special = special as? T else { throw mismatch(type, value, at: step) }
        return special
    }

    // MARK: Errors

    func context(_ step: JSONPathStep, _ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath + (step.key.map { [$0] } ?? []), debugDescription: text)
    }

    /// The error for a value of the wrong kind.
    func mismatch(_ type: any Any.Type, _ value: PropertyList, at step: JSONPathStep) -> DecodingError {
        if value.isNull { return .valueNotFound(type, context(step, "Expected \(type) but found null instead.")) }
        return .typeMismatch(type, context(step, "Expected to decode \(type) but found \(value.kind) instead."))
    }

    private func corrupted(_ text: String, at step: JSONPathStep) -> DecodingError {
        .dataCorrupted(context(step, text))
    }
}

extension PropertyListValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try bool(value, at: .none) }
    func decode(_ type: String.Type) throws -> String { try string(value, at: .none) }
    func decode(_ type: Double.Type) throws -> Double { try float(value, at: .none) }
    func decode(_ type: Float.Type) throws -> Float { try float(value, at: .none) }
    func decode(_ type: Int.Type) throws -> Int { try integer(value, at: .none) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(value, at: .none) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(value, at: .none) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(value, at: .none) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(value, at: .none) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(value, at: .none) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(value, at: .none) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(value, at: .none) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(value, at: .none) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(value, at: .none) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(value, at: .none) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(value, at: .none) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try unwrap(value, as: T.self, at: .none) }
}

extension PropertyList {
    /// Whether this means `nil`, for which property lists have no value.
    var isNull: Bool { if case .string("$null") = self { true } else { false } }

    /// The kind of value, for error messages.
    fileprivate var kind: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .real: "a number"
        case .bool: "bool"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}
