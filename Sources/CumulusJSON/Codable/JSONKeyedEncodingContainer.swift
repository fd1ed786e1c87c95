// SPDX-License-Identifier: Apache-2.0

/// Collects the members that a type encodes by keys.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: JSONValueEncoder
    private let convertsKeys: Bool

    init(startingObjectOf encoder: JSONValueEncoder, convertsKeys: Bool) {
        encoder.startObject()
        self.encoder = encoder
        self.convertsKeys = convertsKeys
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    @inline(__always)
    private func name(_ key: some CodingKey) -> String {
        convertsKeys ? encoder.session.converted(key, at: codingPath) : key.stringValue
    }

    @inline(__always)
    private func set(_ value: JSON, _ key: Key) { encoder.setMember(value, for: name(key)) }

    @inline(__always)
    private func set(_ integer: some FixedWidthInteger, _ key: Key) { set(.number(JSON.Number(integer)), key) }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws { set(try encoder.float(value, at: .key(key)), key) }
    func encode(_ value: Float, forKey key: Key) throws { set(try encoder.float(value, at: .key(key)), key) }
    func encode(_ value: Int, forKey key: Key) { set(value, key) }
    func encode(_ value: Int8, forKey key: Key) { set(value, key) }
    func encode(_ value: Int16, forKey key: Key) { set(value, key) }
    func encode(_ value: Int32, forKey key: Key) { set(value, key) }
    func encode(_ value: Int64, forKey key: Key) { set(value, key) }
    func encode(_ value: Int128, forKey key: Key) { set(value, key) }
    func encode(_ value: UInt, forKey key: Key) { set(value, key) }
    func encode(_ value: UInt8, forKey key: Key) { set(value, key) }
    func encode(_ value: UInt16, forKey key: Key) { set(value, key) }
    func encode(_ value: UInt32, forKey key: Key) { set(value, key) }
    func encode(_ value: UInt64, forKey key: Key) { set(value, key) }
    func encode(_ value: UInt128, forKey key: Key) { set(value, key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { set(try encoder.wrap(value, at: .key(key)), key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(JSONCodingKey.superKey) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey) -> JSONValueEncoder {
        let name = name(key)
        if let present = encoder.memberEncoder(for: name) { return present }
        let nested = encoder.child(at: .key(key))
        encoder.setMember(nested, for: name)
        return nested
    }
}
