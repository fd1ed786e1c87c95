// SPDX-License-Identifier: Apache-2.0

/// An object under construction; as long as its keys follow those of earlier ones, it shares their shape.
struct JSONObjectBuilder {
    /// The last key's node in the session's tree, unless the object has its own keys.
    private var node = JSONShapeTree.root
    /// The first key's node.
    private var first = JSONShapeTree.root
    private var own: JSONShape?
    private var values = JSONValueList()

    @inline(__always)
    mutating func set(_ value: JSON, for key: String, in session: JSONEncodingSession) {
        if own == nil, let child = session.shapes.child(of: node, named: key) {
            if node == JSONShapeTree.root {
                first = child
                values.reserve(session.shapes.expectedCount(of: child))
            }
            node = child
            values.append(value)
        } else if let place = place(of: key, in: session) {
            values.replace(place, with: value)
        } else {
            add(key, in: session)
            values.append(value)
        }
    }

    mutating func set(_ encoder: JSONValueEncoder, for key: String, in session: JSONEncodingSession) {
        if let place = place(of: key, in: session) {
            values.replace(place, with: encoder)
        } else {
            add(key, in: session)
            values.append(encoder)
        }
    }

    /// The encoder that a key already has.
    func encoder(for key: String, in session: JSONEncodingSession) -> JSONValueEncoder? {
        place(of: key, in: session).flatMap(values.encoder(at:))
    }

    private func place(of key: String, in session: JSONEncodingSession) -> Int? {
        if let own { own.position(of: key) } else { session.shapes.place(of: key, upTo: node) }
    }

    @inline(never)
    private mutating func add(_ key: String, in session: JSONEncodingSession) {
        if own == nil {
            if let child = session.shapes.child(of: node, named: key)
                ?? session.shapes.addChild(of: node, named: key)
            {
                if node == JSONShapeTree.root { first = child }
                node = child
                return
            }
            own = JSONShape(uniqueKeys: session.shapes.keys(upTo: node))
        }
        own?.append(key)
    }

    func finished(in session: JSONEncodingSession) -> JSON.Object {
        if own == nil { session.shapes.expect(values.count, of: first) }
        return JSON.Object(shape: own ?? session.shapes.shape(at: node), values: values.finished())
    }
}
