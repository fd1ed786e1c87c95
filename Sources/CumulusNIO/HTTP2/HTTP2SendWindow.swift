// SPDX-License-Identifier: Apache-2.0

/// How many bytes of content a peer accepts, on a stream or on a connection (RFC 9113 section 6.9).
///
/// It counts as the peer does, by bytes that were written; those that wait to be written are kept apart.
struct HTTP2SendWindow: Equatable {
    /// The largest possible window (RFC 9113 section 6.9.1).
    static let limit = Int(Int32.max)

    /// The peer's window; negative after the peer lowered its setting.
    private(set) var size: Int
    /// Bytes that were handed over and not written yet.
    private(set) var queued = 0
    /// The most that it has been since the last setting: what the peer takes at once when nothing is on its way.
    private(set) var largest: Int

    init(_ size: Int) {
        self.size = size
        largest = size
    }

    /// How many more bytes can be handed over; zero or less if none.
    var free: Int { size - queued }
    /// Bytes that were written, and for which the peer has not returned credit.
    var owed: Int { largest - size }

    /// The peer accepts more.
    mutating func grow(by increment: Int) throws(HTTP2ProtocolError) {
        if increment == 0 { throw .emptyWindowUpdate }
        // Both are within 32 bits.
        if size + increment > Self.limit { throw .windowTooLarge }
        size += increment
        largest = max(largest, size)
    }

    /// The peer has changed its setting.
    mutating func change(by delta: Int) throws(HTTP2ProtocolError) {
        if size + delta > Self.limit { throw .windowTooLarge }
        size += delta
        largest = max(size, largest + delta)
    }

    /// Bytes were handed over.
    mutating func queue(_ count: Int) { queued += count }

    /// Bytes that were handed over have been written.
    mutating func write(_ count: Int) {
        queued -= count
        size -= count
    }

    /// Bytes that were handed over are never written.
    mutating func drop(_ count: Int) { queued -= count }
}
