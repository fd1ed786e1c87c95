// SPDX-License-Identifier: Apache-2.0

/// The memory that a head is rendered into: the buffer is touched once for the head, not once for each word of it.
struct HTTP1HeadSpace {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes the head has so far, including those that there was no room for.
    private(set) var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// Whether all bytes so far are in the memory.
    var isWhole: Bool { count <= memory.count }

    /// Drops what was written behind a place.
    mutating func rewind(to place: Int) { count = place }

    @inline(__always)
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        let end = count + bytes.count
        if end <= memory.count, let from = bytes.baseAddress, let start = memory.baseAddress {
            (start + count).copyMemory(from: from, byteCount: bytes.count)
        }
        count = end
    }

    @inline(__always)
    mutating func write(_ text: StaticString) {
        write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func write(text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }
}
