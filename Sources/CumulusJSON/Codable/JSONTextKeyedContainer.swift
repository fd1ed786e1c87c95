// SPDX-License-Identifier: Apache-2.0

/// Writes the members that a type encodes by keys.
struct JSONTextKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: JSONTextSession
    let number: Int
    let convertsKeys: Bool

    var codingPath: [any CodingKey] { session.codingPath(of: number) }

    @inline(__always)
    private func begins(_ key: some CodingKey) -> Bool {
        session.beginsMember(number, convertsKeys ? session.shared.converted(key, at: []) : key.stringValue)
    }

    func encodeNil(forKey key: Key) { if begins(key) { session.writeNull() } }
    func encode(_ value: Bool, forKey key: Key) { if begins(key) { session.write(value) } }
    func encode(_ value: String, forKey key: Key) { if begins(key) { session.write(value) } }
    func encode(_ value: Double, forKey key: Key) { if begins(key) { session.write(value) } }
    func encode(_ value: Float, forKey key: Key) { if begins(key) { session.write(value) } }
    func encode(_ value: Int, forKey key: Key) { if begins(key) { session.write(value) } }
    func encode(_ value: Int8, forKey key: Key) { if begins(key) { session.write(Int(value)) } }
    func encode(_ value: Int16, forKey key: Key) { if begins(key) { session.write(Int(value)) } }
    func encode(_ value: Int32, forKey key: Key) { if begins(key) { session.write(Int(value)) } }
    func encode(_ value: Int64, forKey key: Key) { if begins(key) { session.write(Int(value)) } }
    func encode(_ value: Int128, forKey key: Key) { if begins(key) { session.write(wide: value) } }
    func encode(_ value: UInt, forKey key: Key) { if begins(key) { session.write(UInt64(value)) } }
    func encode(_ value: UInt8, forKey key: Key) { if begins(key) { session.write(UInt64(value)) } }
    func encode(_ value: UInt16, forKey key: Key) { if begins(key) { session.write(UInt64(value)) } }
    func encode(_ value: UInt32, forKey key: Key) { if begins(key) { session.write(UInt64(value)) } }
    func encode(_ value: UInt64, forKey key: Key) { if begins(key) { session.write(value) } }
    func encode(_ value: UInt128, forKey key: Key) { if begins(key) { session.write(wide: value) } }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if begins(key) { try session.encode(value, at: .key(key)) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(JSONCodingKey.superKey) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey) -> JSONTextEncoder {
        session.nestedEncoder(begins(key), at: .key(key))
    }
}
