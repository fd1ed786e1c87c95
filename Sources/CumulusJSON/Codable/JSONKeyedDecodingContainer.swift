// SPDX-License-Identifier: Apache-2.0

/// The members of an object, for a type that decodes itself by keys.
struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    // The only stored property, since the container is copied for each call.
    private let decoder: JSONValueDecoder

    init(decoder: JSONValueDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.members.shape.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { optional(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }

    @inline(__always)
    private func optional(_ key: Key) -> JSON? {
        guard let position = decoder.members.shape.position(of: key.stringValue, near: decoder.hint) else { return nil }
        decoder.hint = position + 1
        return decoder.members.storedValues[position]
    }

    @inline(__always)
    private func required(_ key: Key) throws -> JSON {
        guard let value = optional(key) else { throw missing(key) }
        return value
    }

    /// The value, or `nil` if it is absent or null.
    @inline(__always)
    private func present(_ key: Key) -> JSON? {
        guard let value = optional(key), !value.isNull else { return nil }
        return value
    }

    @inline(never)
    private func missing(_ key: Key) -> DecodingError {
        .keyNotFound(key, decoder.context(.none, "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }

    @inline(__always)
    private func integer<T: FixedWidthInteger>(_ key: Key) throws -> T {
        let value = try required(key)
        return try value.fastInteger() ?? decoder.integer(value, at: .key(key))
    }

    @inline(__always)
    private func integerIfPresent<T: FixedWidthInteger>(_ key: Key) throws -> T? {
        try present(key).map { try $0.fastInteger() ?? decoder.integer($0, at: .key(key)) }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let value = try required(key)
        // Steps of a path are made only if they are needed.
        if case .bool(let bool) = value { return bool }
        return try decoder.bool(value, at: .key(key))
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let value = try required(key)
        if case .string(let string) = value { return string }
        return try decoder.string(value, at: .key(key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder.float(required(key), at: .key(key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoder.float(required(key), at: .key(key))
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder.unwrap(required(key), as: T.self, at: .key(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let value = present(key) else { return nil }
        if case .bool(let bool) = value { return bool }
        return try decoder.bool(value, at: .key(key))
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let value = present(key) else { return nil }
        if case .string(let string) = value { return string }
        return try decoder.string(value, at: .key(key))
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try decoder.float($0, at: .key(key)) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try present(key).map { try decoder.float($0, at: .key(key)) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(key) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key).map { try decoder.unwrap($0, as: T.self, at: .key(key)) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.child(required(key), at: .key(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.child(required(key), at: .key(key)).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        let key = JSONCodingKey.superKey
        let position = decoder.members.shape.position(of: key.stringValue)
        return decoder.child(position.map { decoder.members.storedValues[$0] } ?? .null, at: .key(key))
    }

    func superDecoder(forKey key: Key) -> any Decoder { decoder.child(optional(key) ?? .null, at: .key(key)) }
}

extension JSON {
    /// The number if it is a 64-bit integer that fits; reasons for failure are found elsewhere.
    @inline(__always)
    fileprivate func fastInteger<T: FixedWidthInteger>() -> T? {
        guard case .number(let number) = self, case .signed(let integer) = number.storage else { return nil }
        return T(exactly: integer)
    }
}
