// SPDX-License-Identifier: Apache-2.0

/// The members of a dictionary, for a type that decodes itself by keys.
struct PropertyListKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: [String: PropertyList]
    private let decoder: PropertyListValueDecoder

    init(_ members: [String: PropertyList], decoder: PropertyListValueDecoder) {
        self.members = members
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }

    private func required(_ key: Key) throws -> PropertyList {
        guard let value = members[key.stringValue] else {
            let text = "No value associated with key \(key) (\"\(key.stringValue)\")."
            throw DecodingError.keyNotFound(key, decoder.context(.none, text))
        }
        return value
    }

    private func integer<T: FixedWidthInteger>(_ key: Key) throws -> T {
        try decoder.integer(required(key), at: .key(key))
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder.bool(required(key), at: .key(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder.string(required(key), at: .key(key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder.float(required(key), at: .key(key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder.float(required(key), at: .key(key)) }
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

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.child(required(key), at: .key(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.child(required(key), at: .key(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(at: JSONCodingKey.superKey) }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(at: key) }

    private func superDecoder(at key: any CodingKey) -> any Decoder {
        decoder.child(members[key.stringValue] ?? .string("$null"), at: .key(key))
    }
}
