// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// The members of a JSON object, in order, found by key.
    ///
    /// Keys are compared by their code units (RFC 8259, section 8.3), not by canonical equivalence like Swift strings.
    /// Finding a member takes constant time; removing one takes time proportional to the object's size.
    public struct Object: Sendable {
        /// The keys; objects with the same keys in the same order may share it.
        var shape: JSONShape

        /// One value for each key of the shape.
        var storedValues: [JSON]

        init(shape: JSONShape, values: [JSON]) {
            self.shape = shape
            self.storedValues = values
        }
    }
}

extension JSON.Object {
    /// Creates an object without members.
    public init() { self.init(shape: .empty, values: []) }

    /// Creates an object from members; if some have the same key, the last one is used, at the position of the first.
    public init(_ members: some Sequence<(String, JSON)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    /// The keys, in order.
    public var keys: some RandomAccessCollection<String> & Sendable { shape.keys }

    /// The values, in order.
    public var values: some RandomAccessCollection<JSON> & Sendable { storedValues }

    /// The value with this key, or `nil` if it is missing; assigning `nil` removes the member, and assigning a value to
    /// a new key appends one.
    public subscript(key: String) -> JSON? {
        get { shape.position(of: key).map { storedValues[$0] } }
        set {
            guard let newValue else {
                removeValue(forKey: key)
                return
            }
            let position = positionForWriting(key)
            storedValues[position] = newValue
        }
    }

    /// Removes the member with this key and returns its value.
    @discardableResult
    public mutating func removeValue(forKey key: String) -> JSON? {
        guard let position = shape.position(of: key) else { return nil }
        var keys = shape.keys
        keys.remove(at: position)
        shape = JSONShape(uniqueKeys: keys)
        return storedValues.remove(at: position)
    }

    /// Removes the members with these keys, in time proportional to the object's size however many they are.
    mutating func removeValues(forKeys keys: some Sequence<String>) {
        let positions = Set(keys.compactMap(shape.position))
        guard !positions.isEmpty else { return }
        let kept = storedValues.indices.filter { !positions.contains($0) }
        shape = JSONShape(uniqueKeys: kept.map { shape.keys[$0] })
        storedValues = kept.map { storedValues[$0] }
    }

    /// The position of a key's value; a new key gets a `null` at the end.
    mutating func positionForWriting(_ key: String) -> Int {
        if let position = shape.position(of: key) { return position }
        if !isKnownUniquelyReferenced(&shape) { shape = shape.copy() }
        shape.append(key)
        storedValues.append(.null)
        return storedValues.count - 1
    }
}

extension JSON.Object: RandomAccessCollection {
    /// A member.
    public typealias Element = (key: String, value: JSON)

    /// The position of the first member, which is always 0.
    public var startIndex: Int { 0 }

    /// The number of members.
    public var endIndex: Int { storedValues.count }

    /// The member at a position.
    public subscript(position: Int) -> Element { (shape.keys[position], storedValues[position]) }
}

extension JSON.Object: Hashable {
    /// Whether two objects have the same members, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        if left.shape === right.shape { return left.storedValues == right.storedValues }
        guard left.count == right.count else { return false }
        for (key, value) in left {
            guard let position = right.shape.position(of: key), right.storedValues[position] == value else {
                return false
            }
        }
        return true
    }

    /// Hashes the members, regardless of their order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (key, value) in self {
            // The state is a copy, so that each member's hash doesn't depend on its position.
            var member = hasher
            member.combine(key)
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
    /// Creates an object in the written order; if members have the same key, the last one is used, at the position of the
    /// first.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

extension JSON.Object: CustomStringConvertible {
    /// The object as compact JSON text.
    public var description: String { JSON.object(self).description }
}
