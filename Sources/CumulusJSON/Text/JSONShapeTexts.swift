// SPDX-License-Identifier: Apache-2.0

/// The texts of keys that several objects share, stored from the second of these objects on.
struct JSONShapeTexts: ~Copyable {
    private struct Entry {
        // A strong reference, because the address of a freed shape may be used again.
        let shape: JSONShape
        /// The number of the first key, or `nil` for a shape seen once.
        let first: Int?
    }

    private var texts = JSONKeyTexts()
    /// The entries by the shape's address; a new shape replaces an older one.
    private var entries: [Entry?] = []
    private var missCount = 0
    private static let entryCount = 64

    /// The limit of all texts in bytes; keys of further shapes are written one by one.
    private static let maximumSize = 64 << 10

    /// The number of the first key's text, or `nil` if the texts of the shape aren't known.
    @inline(__always)
    mutating func first(of shape: JSONShape) -> Int? {
        let place = Int(bitPattern: ObjectIdentifier(shape)) >> 5 & (Self.entryCount - 1)
        if !entries.isEmpty, let entry = entries[place], entry.shape === shape, let first = entry.first { return first }
        return add(shape, at: place)
    }

    @inline(never)
    private mutating func add(_ shape: JSONShape, at place: Int) -> Int? {
        missCount += 1
        // Short documents don't need the table.
        if missCount < 4 { return nil }
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.entryCount) }
        guard entries[place]?.shape === shape, texts.size < Self.maximumSize else {
            entries[place] = Entry(shape: shape, first: nil)
            return nil
        }
        let first = texts.count
        for key in shape.keys { texts.append(key) }
        entries[place] = Entry(shape: shape, first: first)
        return first
    }

    /// The text of a key; without the comma if it is the first of its object.
    @inline(__always)
    func text(_ number: Int, isFirst: Bool) -> UnsafeBufferPointer<UInt8> { texts.text(number, isFirst: isFirst) }
}
