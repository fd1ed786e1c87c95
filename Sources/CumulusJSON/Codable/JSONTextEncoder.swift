// SPDX-License-Identifier: Apache-2.0

/// An `Encoder` that writes JSON text: the number of one frame of its session.
struct JSONTextEncoder: Encoder {
    let session: JSONTextSession
    let number: Int
    /// Whether keys are converted; those of dictionaries are data and stay unchanged.
    let convertsKeys: Bool

    var codingPath: [any CodingKey] { session.codingPath(of: number) }
    var userInfo: [CodingUserInfoKey: Any] { session.shared.strategies.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        session.beginContainer(.object, number)
        return KeyedEncodingContainer(
            JSONTextKeyedContainer(session: session, number: number, convertsKeys: convertsKeys)
        )
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        session.beginContainer(.array, number)
        return JSONTextUnkeyedContainer(session: session, number: number)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONTextEncoder: SingleValueEncodingContainer {
    private var begins: Bool { session.beginsValue(number) }

    func encodeNil() { if begins { session.writeNull() } }
    func encode(_ value: Bool) { if begins { session.write(value) } }
    func encode(_ value: String) { if begins { session.write(value) } }
    func encode(_ value: Double) { if begins { session.write(value) } }
    func encode(_ value: Float) { if begins { session.write(value) } }
    func encode(_ value: Int) { if begins { session.write(value) } }
    func encode(_ value: Int8) { if begins { session.write(Int(value)) } }
    func encode(_ value: Int16) { if begins { session.write(Int(value)) } }
    func encode(_ value: Int32) { if begins { session.write(Int(value)) } }
    func encode(_ value: Int64) { if begins { session.write(Int(value)) } }
    func encode(_ value: Int128) { if begins { session.write(wide: value) } }
    func encode(_ value: UInt) { if begins { session.write(UInt64(value)) } }
    func encode(_ value: UInt8) { if begins { session.write(UInt64(value)) } }
    func encode(_ value: UInt16) { if begins { session.write(UInt64(value)) } }
    func encode(_ value: UInt32) { if begins { session.write(UInt64(value)) } }
    func encode(_ value: UInt64) { if begins { session.write(value) } }
    func encode(_ value: UInt128) { if begins { session.write(wide: value) } }
    func encode(_ value: JSON) { if begins { session.writer.write(value) } }
    func encode<T: Encodable>(_ value: T) throws { if begins { try session.encode(value, at: .none) } }
}
