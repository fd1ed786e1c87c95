// SPDX-License-Identifier: Apache-2.0

/// The key sequences of the objects in one text so far, as a tree that starts with the first key.
///
/// Objects in one text are mostly alike. From the node of the last key, the next one can be predicted: comparing its
/// bytes is then enough, without hashing, making a string or looking for duplicates. Each node at which an object has
/// ended knows its shape.
struct JSONKeyTree: ~Copyable {
    /// A key at its position.
    // Not private: Swift 6.3.1 emits a broken module for a private type used in `JSONStack`.
    struct Node {
        let key: String
        /// The key's offset in the source, after its opening quote.
        let offset: Int
        let length: Int
        let parent: Int
        /// The number of keys up to and including this one.
        let depth: Int
        var firstChild = none
        var nextSibling = none
        var shape: JSONShape?
    }

    /// The node before the first key.
    static let root = 0

    private static let none = -1

    /// The limit of predicted next keys per node; beyond it, the oldest is forgotten.
    private static let foreseen = 16

    /// The limit of stored nodes: a text of ever new keys must not take many times its own size.
    ///
    /// Nodes beyond it are not predicted, and are removed with their object.
    static let mostNodes = 16_384

    private let source: UnsafePointer<UInt8>
    private var nodes: JSONStack<Node>

    init(source: UnsafePointer<UInt8>) {
        self.source = source
        nodes = JSONStack(capacity: 32)
        nodes.append(Node(key: "", offset: 0, length: 0, parent: Self.none, depth: 0, shape: .empty))
    }

    /// The number of nodes.
    var count: Int { nodes.count }

    /// The predicted node whose key is at `cursor`, with its closing quote, and the key's length in the source.
    @inline(__always)
    func child(
        of node: Int,
        matching cursor: UnsafePointer<UInt8>,
        before end: UnsafePointer<UInt8>
    ) -> (node: Int, length: Int)? {
        var child = nodes.base[node].firstChild
        while child != Self.none {
            let length = nodes.base[child].length
            if end - cursor > length, cursor[length] == UInt8(ascii: "\""),
                Self.equal(cursor, source + nodes.base[child].offset, count: length)
            {
                return (child, length)
            }
            child = nodes.base[child].nextSibling
        }
        return nil
    }

    /// Adds a key that wasn't predicted.
    mutating func addChild(of parent: Int, key: String, offset: Int, length: Int) -> Int {
        let added = nodes.count
        let depth = nodes.base[parent].depth + 1
        var node = Node(key: key, offset: offset, length: length, parent: parent, depth: depth)
        guard added < Self.mostNodes else {
            nodes.append(node)
            return added
        }
        node.nextSibling = nodes.base[parent].firstChild
        nodes.append(node)
        nodes.base[parent].firstChild = added
        var last = added
        for _ in 1..<Self.foreseen where nodes.base[last].nextSibling != Self.none {
            last = nodes.base[last].nextSibling
        }
        nodes.base[last].nextSibling = Self.none
        return added
    }

    /// The object whose last key is this node's.
    @inline(__always)
    mutating func object(at node: Int, of values: [JSON]) -> JSON.Object {
        if let shape = nodes.base[node].shape { return JSON.Object(shape: shape, values: values) }
        return firstObject(at: node, of: values)
    }

    @inline(never)
    private mutating func firstObject(at node: Int, of values: [JSON]) -> JSON.Object {
        var keys: [String] = []
        keys.reserveCapacity(nodes.base[node].depth)
        var ancestor = node
        while ancestor != Self.root {
            keys.append(nodes.base[ancestor].key)
            ancestor = nodes.base[ancestor].parent
        }
        keys.reverse()
        defer { if node >= Self.mostNodes { removePath(to: node) } }
        let (shape, places) = JSONShape.make(of: keys)
        guard let places else {
            nodes.base[node].shape = shape
            return JSON.Object(shape: shape, values: values)
        }
        var remaining = [JSON](repeating: .null, count: shape.keys.count)
        for (place, value) in zip(places, values) { remaining[place] = value }
        return JSON.Object(shape: shape, values: remaining)
    }

    /// Removes an object's nodes beyond the limit: the last ones, since those of objects within it are gone.
    private mutating func removePath(to node: Int) {
        var node = node
        while node >= Self.mostNodes {
            node = nodes.base[node].parent
            _ = nodes.popLast()
        }
    }

    @inline(__always)
    private static func equal(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
        let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        var offset = 0
        while offset + 8 <= count {
            let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset += 8
        }
        while offset < count {
            guard
                left.load(fromByteOffset: offset, as: UInt8.self) == right.load(fromByteOffset: offset, as: UInt8.self)
            else { return false }
            offset += 1
        }
        return true
    }
}
