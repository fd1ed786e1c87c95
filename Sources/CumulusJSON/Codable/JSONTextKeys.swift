// SPDX-License-Identifier: Apache-2.0

/// Writes the keys of objects; those that follow each other as in earlier objects are copied with their punctuation.
struct JSONTextKeys: ~Copyable {
    private var shapes = JSONShapeTree()
    /// The texts of the nodes after the root.
    private var texts = JSONKeyTexts()

    /// Writes a comma, unless the key is the first, the key and a colon; returns false if the object already has the key.
    @inline(__always)
    mutating func write(_ key: String, of frame: inout JSONTextFrame, to writer: inout JSONWriter) -> Bool {
        guard frame.ownKeys == nil, let child = shapes.child(of: frame.node, named: key) else {
            return add(key, to: &frame, &writer)
        }
        write(child, &frame, &writer)
        return true
    }

    @inline(__always)
    private func write(_ child: Int, _ frame: inout JSONTextFrame, _ writer: inout JSONWriter) {
        writer.append(texts.text(child - 1, isFirst: frame.node == JSONShapeTree.root))
        frame.node = child
    }

    @inline(never)
    private mutating func add(_ key: String, to frame: inout JSONTextFrame, _ writer: inout JSONWriter) -> Bool {
        if frame.ownKeys == nil {
            if shapes.place(of: key, upTo: frame.node) != nil { return false }
            if let child = shapes.addChild(of: frame.node, named: key) {
                texts.append(key)
                write(child, &frame, &writer)
                return true
            }
            frame.ownKeys = JSONShape(uniqueKeys: shapes.keys(upTo: frame.node))
        }
        guard let own = frame.ownKeys, own.position(of: key) == nil else { return false }
        if !own.keys.isEmpty { writer.append(UInt8(ascii: ",")) }
        own.append(key)
        writer.write(key)
        writer.append(UInt8(ascii: ":"))
        return true
    }
}
