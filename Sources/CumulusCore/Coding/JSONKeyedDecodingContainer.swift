// SPDX-License-Identifier: Apache-2.0

/// The members of an object, for a type that decodes itself by keys.
struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSON.Object
    private let decoder: JSONValueDecoder

    init(_ object: JSON.Object, decoder: JSONValueDecoder) {
        self.object = object
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.shape.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { optional(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }

    @inline(__always)
    private func optional(_ key: Key) -> JSON? {
        guard let position = object.shape.position(of: key.stringValue, near: decoder.hint) else { return nil }
        decoder.hint = position + 1
        return object.storedValues[position]
    }

    @inline(__always)
    private func required(_ key: Key) throws -> JSON {
        guard let value = optional(key) else { throw missing(key) }
        return value
    }

    /// The value, or nil where it is absent or null.
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
        try decoder.integer(required(key), at: .key(key))
    }

    @inline(__always)
    private func integerIfPresent<T: FixedWidthInteger>(_ key: Key) throws -> T? {
        try present(key).map { try decoder.integer($0, at: .key(key)) }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder.bool(required(key), at: .key(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder.string(required(key), at: .key(key))
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
        try present(key).map { try decoder.bool($0, at: .key(key)) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try decoder.string($0, at: .key(key)) }
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
        let position = object.shape.position(of: key.stringValue)
        return decoder.child(position.map { object.storedValues[$0] } ?? .null, at: .key(key))
    }

    func superDecoder(forKey key: Key) -> any Decoder { decoder.child(optional(key) ?? .null, at: .key(key)) }
}
