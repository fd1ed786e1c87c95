// SPDX-License-Identifier: Apache-2.0

/// A `Decoder` of one value; each knows its parent, and so its coding path.
final class JSONValueDecoder: Decoder {
    let value: JSON
    let session: JSONDecodingSession
    private let key: JSONPathStep
    private let parent: JSONValueDecoder?
    private let convertsKeys: Bool
    /// The members, with the keys that a type expects, once it has a keyed container.
    // Without checks of exclusive access, as below: nothing runs while either property is read or written.
    @exclusivity(unchecked) private(set) var members = JSON.Object()
    /// The position after the member found last: types usually ask in the text's order.
    @exclusivity(unchecked) var hint = 0

    /// Creates a decoder; `literalKeys` is for a dictionary, whose keys are data that no strategy changes.
    init(
        _ value: JSON,
        key: JSONPathStep,
        parent: JSONValueDecoder?,
        session: JSONDecodingSession,
        literalKeys: Bool = false
    ) {
        self.value = value
        self.key = key
        self.parent = parent
        self.session = session
        convertsKeys = session.convertsKeys && !literalKeys
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: JSONValueDecoder? = self
        while let current = decoder {
            if let key = current.key.key { path.append(key) }
            decoder = current.parent
        }
        return path.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { session.strategies.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw mismatch([String: Any].self, value, at: .none) }
        members = convertsKeys ? session.converted(object, at: codingPath) : object
        return KeyedDecodingContainer(JSONKeyedDecodingContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let array = value.array ?? session.array(ofText: value) else {
            throw mismatch([Any].self, value, at: .none)
        }
        return JSONUnkeyedDecodingContainer(array, decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// The decoder of a child value.
    func child(_ value: JSON, at step: JSONPathStep) -> JSONValueDecoder {
        if case .none = step { return self }
        return JSONValueDecoder(value, key: step, parent: self, session: session)
    }

    // MARK: Errors

    func context(_ step: JSONPathStep, _ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath + (step.key.map { [$0] } ?? []), debugDescription: text)
    }

    /// The error for a value of the wrong kind.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ value: JSON, at step: JSONPathStep) -> DecodingError {
        if case .null = value {
            return .valueNotFound(type, context(step, "Expected \(type) but found null instead."))
        }
        return .typeMismatch(type, context(step, "Expected to decode \(type) but found \(value.kind) instead."))
    }

    @inline(never)
    func corrupted(_ text: String, at step: JSONPathStep) -> DecodingError { .dataCorrupted(context(step, text)) }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
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

extension JSON {
    /// The kind of value, for error messages.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}
