// SPDX-License-Identifier: Apache-2.0

/// Writes the elements that a type encodes in sequence.
struct JSONTextUnkeyedContainer: UnkeyedEncodingContainer {
    let session: JSONTextSession
    let number: Int
    /// The number of elements that this copy has encoded, for loops over an array that has ended.
    private var ownCount = 0

    init(session: JSONTextSession, number: Int) {
        self.session = session
        self.number = number
    }

    var codingPath: [any CodingKey] { session.codingPath(of: number) }
    var count: Int { session.elementCount(of: number) ?? ownCount }

    @inline(__always)
    private mutating func begins() -> Bool {
        ownCount += 1
        return session.beginsElement(number)
    }

    /// The step to the element that has begun.
    private var step: JSONPathStep { .index(session.top.count - 1) }

    mutating func encodeNil() { if begins() { session.writeNull() } }
    mutating func encode(_ value: Bool) { if begins() { session.write(value) } }
    mutating func encode(_ value: String) { if begins() { session.write(value) } }
    mutating func encode(_ value: Double) { if begins() { session.write(value) } }
    mutating func encode(_ value: Float) { if begins() { session.write(value) } }
    mutating func encode(_ value: Int) { if begins() { session.write(value) } }
    mutating func encode(_ value: Int8) { if begins() { session.write(Int(value)) } }
    mutating func encode(_ value: Int16) { if begins() { session.write(Int(value)) } }
    mutating func encode(_ value: Int32) { if begins() { session.write(Int(value)) } }
    mutating func encode(_ value: Int64) { if begins() { session.write(Int(value)) } }
    mutating func encode(_ value: Int128) { if begins() { session.write(wide: value) } }
    mutating func encode(_ value: UInt) { if begins() { session.write(UInt64(value)) } }
    mutating func encode(_ value: UInt8) { if begins() { session.write(UInt64(value)) } }
    mutating func encode(_ value: UInt16) { if begins() { session.write(UInt64(value)) } }
    mutating func encode(_ value: UInt32) { if begins() { session.write(UInt64(value)) } }
    mutating func encode(_ value: UInt64) { if begins() { session.write(value) } }
    mutating func encode(_ value: UInt128) { if begins() { session.write(wide: value) } }
    mutating func encode<T: Encodable>(_ value: T) throws { if begins() { try session.encode(value, at: step) } }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { nested() }

    private mutating func nested() -> JSONTextEncoder { session.nestedEncoder(begins(), at: step) }
}
