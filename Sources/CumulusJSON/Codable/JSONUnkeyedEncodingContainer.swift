// SPDX-License-Identifier: Apache-2.0

/// Collects the elements that a type encodes in sequence.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    private let encoder: JSONValueEncoder

    init(encoder: JSONValueEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    private var step: JSONPathStep { .index(count) }

    private func append(_ value: JSON) { encoder.append(value) }
    private func append(_ integer: some FixedWidthInteger) { append(.number(JSON.Number(integer))) }

    func encodeNil() { append(.null) }
    func encode(_ value: Bool) { append(.bool(value)) }
    func encode(_ value: String) { append(.string(value)) }
    func encode(_ value: Double) throws { append(try encoder.float(value, at: step)) }
    func encode(_ value: Float) throws { append(try encoder.float(value, at: step)) }
    func encode(_ value: Int) { append(value) }
    func encode(_ value: Int8) { append(value) }
    func encode(_ value: Int16) { append(value) }
    func encode(_ value: Int32) { append(value) }
    func encode(_ value: Int64) { append(value) }
    func encode(_ value: Int128) { append(value) }
    func encode(_ value: UInt) { append(value) }
    func encode(_ value: UInt8) { append(value) }
    func encode(_ value: UInt16) { append(value) }
    func encode(_ value: UInt32) { append(value) }
    func encode(_ value: UInt64) { append(value) }
    func encode(_ value: UInt128) { append(value) }
    func encode<T: Encodable>(_ value: T) throws { append(try encoder.wrap(value, at: step)) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> JSONValueEncoder {
        let nested = encoder.child(at: step)
        encoder.append(nested)
        return nested
    }
}
