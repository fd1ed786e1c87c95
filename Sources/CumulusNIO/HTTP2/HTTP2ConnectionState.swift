// SPDX-License-Identifier: Apache-2.0

/// What an HTTP/2 connection as a whole allows: how many streams, how many bytes, and for how long (RFC 9113
/// sections 5.1.2, 5.2 and 6.8).
///
/// A state machine without I/O or clock.
struct HTTP2ConnectionState {
    private let limits: HTTP2Limits
    private var peerLimit: Int
    private var nextStreamID: Int
    /// Streams that are open now.
    private(set) var openStreams = 0
    /// Streams that were ever opened.
    private(set) var streamsOpened = 0
    /// Bytes of content that the peer lets a new stream send.
    private(set) var initialSendWindow = 65_535
    /// Bytes of content that the peer lets all streams together send; negative never, since nothing is sent ahead.
    private(set) var sendWindow = 65_535
    /// Bytes that a new stream lets the peer send; what was asked for counts once the peer has acknowledged it.
    private(set) var receiveWindow = 65_535
    /// The last stream that the peer looks at, once it has announced the end.
    private(set) var lastStreamID: Int?
    /// Whether no new stream may be opened: the peer announced the end, or we did.
    private(set) var isDraining = false

    init(limits: HTTP2Limits = HTTP2Limits(), firstStreamID: Int = 1) {
        self.limits = limits
        nextStreamID = firstStreamID
        peerLimit = limits.streamsBeforeSettings
    }

    /// Whether another stream can be opened now.
    var canOpen: Bool { !isDraining && openStreams < min(limits.streams, peerLimit) }

    /// Opens a stream; `nil` if none can be.
    mutating func open() -> Int? {
        guard canOpen else { return nil }
        defer { nextStreamID += 2 }
        openStreams += 1
        streamsOpened += 1
        // Identifiers are 31 bits long and never used again (RFC 9113 section 5.1.1).
        if nextStreamID >= Int(Int32.max) - 2 { isDraining = true }
        return nextStreamID
    }

    /// A stream is over; what was counted for it as sent and will not be is free again.
    mutating func close(unwritten: Int = 0) {
        openStreams -= 1
        sendWindow += unwritten
    }

    /// No more streams are to be opened.
    mutating func drain() { isDraining = true }

    /// The peer's settings; returns by how much the windows of all open streams change.
    mutating func receiveSettings(maximumStreams: Int?, initialWindow: Int?) -> Int {
        if let maximumStreams { peerLimit = maximumStreams }
        guard let initialWindow else { return 0 }
        defer { initialSendWindow = initialWindow }
        return initialWindow - initialSendWindow
    }

    /// The peer has acknowledged our window for streams, which makes this difference.
    mutating func changeReceiveWindow(by delta: Int) { receiveWindow += delta }

    /// The peer takes no more streams, and has looked at none above this one.
    ///
    /// It may say so twice: first to stop new ones, then with the number (RFC 9113 section 6.8).
    mutating func receiveGoAway(lastStreamID: Int) {
        isDraining = true
        self.lastStreamID = min(lastStreamID, self.lastStreamID ?? .max)
    }

    /// Whether the peer has said that it did not look at a stream.
    func isUnprocessed(_ streamID: Int) -> Bool {
        guard let lastStreamID else { return false }
        return streamID > lastStreamID
    }

    /// The peer takes so many bytes more.
    mutating func receiveWindowUpdate(_ increment: Int) throws(HTTP2ProtocolError) {
        if increment == 0 { throw .emptyWindowUpdate }
        if sendWindow + increment > HTTP2Limits.largestWindow { throw .windowTooLarge }
        sendWindow += increment
    }

    /// So many bytes are sent.
    mutating func spend(_ count: Int) { sendWindow -= count }

    /// What to give back to the peer now that it may send only so many bytes; `nil` while it has enough.
    ///
    /// The connection's window is given back for what has arrived, not for what was read: one slow consumer must not
    /// stop the others. What is not read is bounded by the windows of the streams.
    func credit(forWindow remaining: Int) -> Int? {
        remaining <= limits.connectionWindow / 2 ? limits.connectionWindow - remaining : nil
    }
}
