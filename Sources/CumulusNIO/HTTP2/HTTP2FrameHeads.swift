// SPDX-License-Identifier: Apache-2.0

/// Finds the heads of frames in a connection's bytes, regardless of how they are cut (RFC 9113 section 4.1).
struct HTTP2FrameHeads {
    /// The header of a frame.
    struct Head: Equatable {
        var length: Int
        var type: UInt8
        var streamID: Int
    }

    private var partial: [UInt8] = []
    /// Bytes of the current frame that have not arrived.
    private var remaining = 0

    /// Calls `body` with each head, in order, until it returns false; then returns false.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ body: (Head) -> Bool) -> Bool {
        var index = 0
        while index < bytes.count {
            let skipped = min(remaining, bytes.count - index)
            remaining -= skipped
            index += skipped
            if index == bytes.count { return true }
            let head: Head
            if partial.isEmpty, bytes.count - index >= 9 {
                head = Self.head { bytes[index + $0] }
                index += 9
            } else {
                partial.append(bytes[index])
                index += 1
                if partial.count < 9 { continue }
                head = Self.head { partial[$0] }
                partial.removeAll(keepingCapacity: true)
            }
            remaining = head.length
            if !body(head) { return false }
        }
        return true
    }

    @inline(__always)
    private static func head(_ byte: (Int) -> UInt8) -> Head {
        Head(
            length: Int(byte(0)) << 16 | Int(byte(1)) << 8 | Int(byte(2)),
            type: byte(3),
            // The first bit is reserved.
            streamID: Int(byte(5) & 0x7f) << 24 | Int(byte(6)) << 16 | Int(byte(7)) << 8 | Int(byte(8))
        )
    }
}
