// SPDX-License-Identifier: Apache-2.0

/// The elements of an array, in order; after an element fails to decode, it is still the next one.
struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let array: [JSON]
    private let decoder: JSONValueDecoder
    private(set) var currentIndex = 0

    init(_ array: [JSON], decoder: JSONValueDecoder) {
        self.array = array
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { array.count }
    var isAtEnd: Bool { currentIndex >= array.count }

    @inline(__always)
    private mutating func next<T>(_ type: T.Type, _ decode: (JSON, JSONPathStep) throws -> T) throws -> T {
        guard currentIndex < array.count else { throw atEnd(type) }
        let value = try decode(array[currentIndex], .index(currentIndex))
        currentIndex += 1
        return value
    }

    @inline(never)
    private func atEnd(_ type: any Any.Type) -> DecodingError {
        .valueNotFound(type, decoder.context(.index(currentIndex), "Unkeyed container is at end."))
    }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < array.count else { throw atEnd(Never.self) }
        guard array[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type, decoder.bool) }
    mutating func decode(_ type: String.Type) throws -> String { try next(type, decoder.string) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type, decoder.float) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type, decoder.float) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type, decoder.integer) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type, decoder.integer) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type, decoder.integer) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type, decoder.integer) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type, decoder.integer) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type, decoder.integer) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type, decoder.integer) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type, decoder.integer) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type, decoder.integer) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type, decoder.integer) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type, decoder.integer) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type, decoder.integer) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let decoder = self.decoder
        return try next(type) { try decoder.unwrap($0, as: type, at: $1) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let decoder = self.decoder
        return try next(KeyedDecodingContainer<Key>.self) { try decoder.child($0, at: $1).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let decoder = self.decoder
        return try next((any UnkeyedDecodingContainer).self) { try decoder.child($0, at: $1).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = self.decoder
        return try next((any Decoder).self) { decoder.child($0, at: $1) }
    }
}
