// SPDX-License-Identifier: Apache-2.0

/// A growing buffer whose elements are moved in and out: the parser's stacks, without reference counting.
struct JSONStack<Element>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    /// Creates an empty stack, which allocates nothing before its first element unless it gets a capacity.
    init(capacity: Int = 0) {
        self.capacity = capacity
        base = capacity > 0 ? .allocate(capacity: capacity) : JSONStack.unallocated
    }

    deinit {
        base.deinitialize(count: count)
        if capacity > 0 { base.deallocate() }
    }

    /// An address at which nothing is read or written.
    ///
    /// An optional pointer would be checked at each access.
    private static var unallocated: UnsafeMutablePointer<Element> {
        // Not nil, because no type has an alignment of 0.
        UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
    }

    @inline(__always)
    mutating func append(_ element: consuming Element) {
        if count == capacity { grow(to: capacity * 2) }
        (base + count).initialize(to: element)
        count += 1
    }

    /// Removes the last element, or returns nil if the stack is empty.
    @inline(__always)
    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        return (base + count).move()
    }

    /// Removes all elements, keeping the memory.
    mutating func removeAll() {
        base.deinitialize(count: count)
        count = 0
    }

    @inline(never)
    private mutating func grow(to wanted: Int) {
        let newCapacity = max(wanted, 16)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        larger.moveInitialize(from: base, count: count)
        if capacity > 0 { base.deallocate() }
        base = larger
        capacity = newCapacity
    }
}

// Written for each type: as a generic method, making the array isn't specialized.

extension JSONStack<JSON> {
    /// Removes everything from a position on, as a separate array.
    @inline(__always)
    mutating func take(from start: Int) -> [JSON] {
        let taken = count - start
        guard taken > 0 else { return [] }
        count = start
        // Not by `unsafeUninitializedCapacity`, which looks the array's type up at run time (Swift 6.3).
        var array: [JSON] = []
        array.reserveCapacity(taken)
        for offset in 0..<taken { array.append((base + start + offset).move()) }
        return array
    }
}

extension JSONStack<UInt8> {
    /// Removes all bytes, as a separate array.
    mutating func take() -> [UInt8] {
        let taken = Array(UnsafeBufferPointer(start: base, count: count))
        count = 0
        return taken
    }

    /// Appends bytes in one piece.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// Appends the bytes that `fill` writes into that room; it returns their number.
    @inline(__always)
    mutating func append(upTo room: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(room)
        count += fill(base + count)
    }

    /// Appends the first bytes of a word, in the order of their significance.
    @inline(__always)
    mutating func append(_ word: UInt64, count bytes: Int) {
        reserve(8)
        UnsafeMutableRawPointer(base + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count += bytes
    }

    /// Counts bytes that were written after the last one, in the room reserved.
    @inline(__always)
    mutating func advance(to end: UnsafeMutableRawPointer) { count = end - UnsafeMutableRawPointer(base) }

    /// Makes room for more bytes.
    @inline(__always)
    mutating func reserve(_ additional: Int) {
        if capacity - count < additional { grow(to: max(capacity * 2, count + additional)) }
    }
}
