// SPDX-License-Identifier: Apache-2.0

/// The keys of an object, in order, with an index: shared by all objects with the same keys.
///
/// In an array of a thousand similar objects, the keys are stored once, and reading, copying and freeing an object
/// costs nothing for them.
// Unchecked: changed only by `JSON.Object` while it holds the one reference.
final class JSONShape: @unchecked Sendable {
    // Without checks of exclusive access, since both properties are read for every member: see the class.
    @exclusivity(unchecked) private(set) var keys: [String]

    /// Whether all keys have only ASCII characters, and are compared faster.
    @exclusivity(unchecked) private var isASCII: Bool

    /// The index, by open addressing.
    ///
    /// 0 is free, else a position in `keys` plus 1. Empty while there are few keys.
    @exclusivity(unchecked) private var slots: [UInt32] = []

    /// Up to this number, keys are compared one by one.
    private static let linearLimit = 8

    static let empty = JSONShape(uniqueKeys: [])

    init(uniqueKeys keys: [String]) {
        self.keys = keys
        isASCII = keys.allSatisfy(\.hasOnlyASCII)
        if keys.count > Self.linearLimit { rebuildSlots() }
    }

    private init(copying other: JSONShape) {
        keys = other.keys
        isASCII = other.isASCII
        slots = other.slots
    }

    func copy() -> JSONShape { JSONShape(copying: self) }

    /// Creates a shape from keys that may repeat; if one does, also returns the position of each of the keys.
    static func make(of keys: [String]) -> (shape: JSONShape, places: [Int]?) {
        let shape = JSONShape(uniqueKeys: [])
        shape.keys.reserveCapacity(keys.count)
        var places: [Int]?
        for (index, key) in keys.enumerated() {
            if let position = shape.position(of: key) {
                if places == nil { places = Array(0..<index) }
                places?.append(position)
            } else {
                places?.append(shape.keys.count)
                shape.append(key)
            }
        }
        return (shape, places)
    }

    /// Adds a key that isn't there yet.
    func append(_ key: String) {
        keys.append(key)
        if !key.hasOnlyASCII { isASCII = false }
        if slots.isEmpty ? keys.count > Self.linearLimit : keys.count * 2 > slots.count {
            rebuildSlots()
        } else if !slots.isEmpty {
            insert(keys.count - 1)
        }
    }

    /// The position of a key, or `nil`.
    func position(of key: String) -> Int? {
        guard !slots.isEmpty else {
            return keys.firstIndex { $0.hasSameBytes(as: key, isASCII: isASCII) }
        }
        var slot = Self.hash(key) & (slots.count - 1)
        while slots[slot] != 0 {
            let position = Int(slots[slot]) - 1
            if keys[position].hasSameBytes(as: key, isASCII: isASCII) { return position }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The position of a key, searched first where a sequential reader would find it.
    func position(of key: String, near hint: Int) -> Int? {
        if hint < keys.count, keys[hint].hasSameBytes(as: key, isASCII: isASCII) { return hint }
        return position(of: key)
    }

    private func rebuildSlots() {
        var size = 32
        while size < keys.count * 4 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        for position in keys.indices { insert(position) }
    }

    private func insert(_ position: Int) {
        var slot = Self.hash(keys[position]) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(truncatingIfNeeded: position + 1)
    }

    /// Different in each process, so that a peer can't choose keys that collide.
    private static let seed = UInt64.random(in: .min ... .max)

    private static func hash(_ key: String) -> Int {
        var key = key
        return key.withUTF8 { bytes in
            var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
            let raw = UnsafeRawBufferPointer(bytes)
            var offset = 0
            while offset + 8 <= raw.count {
                state = mix(state ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < raw.count {
                rest = rest << 8 | UInt64(raw[offset])
                offset += 1
            }
            return Int(truncatingIfNeeded: mix(mix(state ^ rest) ^ seed))
        }
    }

    /// Folds a full-width product, so that each bit of the input affects the whole output.
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93 ^ seed | 1)
        return product.high ^ product.low
    }
}

extension String {
    /// Whether all characters are ASCII.
    var hasOnlyASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Whether both have the same UTF-8; `isASCII` states that this string has only ASCII characters.
    ///
    /// Equal strings may be only canonically equivalent. One that is equivalent to a string of ASCII characters, but not
    /// the same, has more bytes.
    @inline(__always)
    func hasSameBytes(as other: String, isASCII: Bool) -> Bool {
        utf8.count == other.utf8.count && self == other && (isASCII || utf8.elementsEqual(other.utf8))
    }

    /// Whether these bytes are the string's UTF-8.
    @inline(__always)
    func hasBytes(_ other: UnsafeRawBufferPointer) -> Bool {
        utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).isEqual(to: other) }
            ?? utf8.elementsEqual(other)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes of both are the same, comparing eight at a time.
    @inline(__always)
    fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var offset = 0
        while offset + 8 <= count {
            let left = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard left == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset += 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }
}
