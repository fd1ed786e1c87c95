// SPDX-License-Identifier: Apache-2.0

/// The key sequences of the encoded objects so far, as a tree that starts with the first key.
///
/// Objects of one type mostly have the same keys, except those without a value. From the node of the last key, the next
/// one can be predicted: comparing its bytes is then enough. Objects that end at one node share its shape.
struct JSONShapeTree: ~Copyable {
    // Not private: without optimization, the compiler (Swift 6.3) can't free the nodes from another file.
    struct Node {
        let key: String
        let isASCII: Bool
        let parent: Int
        /// The number of keys up to and including this one.
        let depth: Int
        var firstChild = JSONShapeTree.none
        var nextSibling = JSONShapeTree.none
        var shape: JSONShape?
        /// The number of keys in the last object that began with this one.
        var expectedCount = 0

        init(key: String, parent: Int, depth: Int, shape: JSONShape? = nil) {
            self.key = key
            isASCII = key.hasOnlyASCII
            self.parent = parent
            self.depth = depth
            self.shape = shape
        }

        @inline(__always)
        func hasKey(_ other: String) -> Bool { key.hasSameBytes(as: other, isASCII: isASCII) }
    }

    /// The node before the first key.
    static let root = 0

    fileprivate static let none = -1

    /// The limit of predicted next keys per node; beyond it, the oldest is forgotten.
    private static let foreseen = 16

    /// Longer objects, and additional keys, get their own shapes.
    private static let maximumDepth = 64
    private static let maximumCount = 4096

    // Not an array, whose reference would be counted at each access.
    private var nodes = JSONStack<Node>(capacity: 16)

    init() { nodes.append(Node(key: "", parent: Self.none, depth: 0, shape: .empty)) }

    /// The predicted node of this key.
    @inline(__always)
    func child(of node: Int, named key: String) -> Int? {
        var child = nodes.base[node].firstChild
        while child != Self.none {
            if nodes.base[child].hasKey(key) { return child }
            child = nodes.base[child].nextSibling
        }
        return nil
    }

    /// Adds a key that wasn't predicted and isn't on the path; nil if the tree is full.
    mutating func addChild(of parent: Int, named key: String) -> Int? {
        let depth = nodes.base[parent].depth + 1
        guard depth <= Self.maximumDepth, nodes.count < Self.maximumCount else { return nil }
        let added = nodes.count
        var node = Node(key: key, parent: parent, depth: depth)
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

    /// The position of a key among those up to a node.
    func place(of key: String, upTo node: Int) -> Int? {
        var node = node
        while node != Self.root {
            if nodes.base[node].hasKey(key) { return nodes.base[node].depth - 1 }
            node = nodes.base[node].parent
        }
        return nil
    }

    /// The expected number of keys of an object that begins with this one.
    func expectedCount(of first: Int) -> Int { nodes.base[first].expectedCount }

    mutating func expect(_ count: Int, of first: Int) { nodes.base[first].expectedCount = count }

    /// The shape of the objects that end here.
    mutating func shape(at node: Int) -> JSONShape {
        if let shape = nodes.base[node].shape { return shape }
        let shape = JSONShape(uniqueKeys: keys(upTo: node))
        nodes.base[node].shape = shape
        return shape
    }

    /// The keys up to a node, in order.
    func keys(upTo node: Int) -> [String] {
        var keys: [String] = []
        keys.reserveCapacity(nodes.base[node].depth)
        var node = node
        while node != Self.root {
            keys.append(nodes.base[node].key)
            node = nodes.base[node].parent
        }
        keys.reverse()
        return keys
    }
}
