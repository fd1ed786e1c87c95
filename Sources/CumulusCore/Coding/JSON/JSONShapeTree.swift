// SPDX-License-Identifier: Apache-2.0

/// The sequences of keys that the encoded objects have had so far, as a tree from the first key on.
///
/// Objects of one type mostly have the same keys, less those without a value. From the node of the last key, the next
/// one can be foreseen: comparing its bytes is then all there is to do. Objects that end at one node share its shape.
struct JSONShapeTree {
    private struct Node {
        let key: String
        let parent: Int
        /// The number of keys up to and with this one.
        let depth: Int
        var firstChild = none
        var nextSibling = none
        var shape: JSONShape?
        /// How many keys the last object had that began with this one.
        var expectedCount = 0
    }

    /// The node before the first key.
    static let root = 0

    private static let none = -1

    /// A node foresees at most so many next keys; beyond, the oldest is forgotten.
    private static let foreseen = 16

    /// Longer objects, and further keys, are for shapes of their own.
    private static let maximumDepth = 64
    private static let maximumCount = 4096

    private var nodes = [Node(key: "", parent: none, depth: 0, shape: .empty)]

    /// The foreseen node of this key.
    @inline(__always)
    func child(of node: Int, named key: String) -> Int? {
        var child = nodes[node].firstChild
        while child != Self.none {
            if nodes[child].key.hasSameBytes(as: key) { return child }
            child = nodes[child].nextSibling
        }
        return nil
    }

    /// Adds a key that wasn't foreseen and isn't on the way; nil where the tree is full.
    mutating func addChild(of parent: Int, named key: String) -> Int? {
        let depth = nodes[parent].depth + 1
        guard depth <= Self.maximumDepth, nodes.count < Self.maximumCount else { return nil }
        let added = nodes.count
        var node = Node(key: key, parent: parent, depth: depth)
        node.nextSibling = nodes[parent].firstChild
        nodes.append(node)
        nodes[parent].firstChild = added
        var last = added
        for _ in 1..<Self.foreseen where nodes[last].nextSibling != Self.none { last = nodes[last].nextSibling }
        nodes[last].nextSibling = Self.none
        return added
    }

    /// The place of a key among those up to a node.
    func place(of key: String, upTo node: Int) -> Int? {
        var node = node
        while node != Self.root {
            if nodes[node].key.hasSameBytes(as: key) { return nodes[node].depth - 1 }
            node = nodes[node].parent
        }
        return nil
    }

    /// How many keys an object may have that begins with this one.
    func expectedCount(of first: Int) -> Int { nodes[first].expectedCount }

    mutating func expect(_ count: Int, of first: Int) { nodes[first].expectedCount = count }

    /// The shape of the objects that end here.
    mutating func shape(at node: Int) -> JSONShape {
        if let shape = nodes[node].shape { return shape }
        let shape = JSONShape(uniqueKeys: keys(upTo: node))
        nodes[node].shape = shape
        return shape
    }

    /// The keys up to a node, in order.
    func keys(upTo node: Int) -> [String] {
        var keys: [String] = []
        keys.reserveCapacity(nodes[node].depth)
        var node = node
        while node != Self.root {
            keys.append(nodes[node].key)
            node = nodes[node].parent
        }
        keys.reverse()
        return keys
    }
}
