// SPDX-License-Identifier: Apache-2.0

/// The limits of a whole HTTP/2 connection: how many streams, how many bytes, and for how long (RFC 9113 sections
/// 5.1.2, 5.2 and 6.8).
///
/// A state machine without I/O or clock.
struct HTTP2ConnectionState {
    private let limits: HTTP2Limits
    private var peerLimit: Int
    /// Whether the peer's settings have arrived.
    private(set) var hasSettings = false
    /// The largest field section that the peer accepts, if it has announced that.
    private(set) var largestHead: Int?
    private var nextStreamID: Int
    /// Streams that are currently open.
    private(set) var openStreams = 0
    /// Streams reset here that the peer may still count, and how many of them it was asked about.
    private var resetStreams = 0
    private var askedStreams = 0
    /// Streams opened in total.
    private(set) var streamsOpened = 0
    /// Bytes of content that a new stream may send to the peer.
    private(set) var initialSendWindow = 65_535
    /// What all streams together may send to the peer.
    var window = HTTP2SendWindow(65_535)
    /// Bytes that the peer may send on a new stream; a requested value counts once the peer has acknowledged it.
    private(set) var receiveWindow = 65_535
    /// The last stream that the peer processes, once it has announced the end.
    private(set) var lastStreamID: Int?
    /// Whether no new stream may be opened: the peer announced the end, or we did.
    private(set) var isDraining = false

    init(limits: HTTP2Limits = HTTP2Limits(), firstStreamID: Int = 1) {
        self.limits = limits
        nextStreamID = firstStreamID
        peerLimit = limits.streamsBeforeSettings
    }

    /// Whether another stream can be opened now.
    ///
    /// lighttpd counts a stream until it has read all that came with the reset, and can't read further heads once it has
    /// refused one.
    var canOpen: Bool { !isDraining && openStreams < limits.streams && openStreams + resetStreams < peerLimit }

    /// Whether only streams that were reset, about which the peer was not asked, keep others from being opened.
    var waitsForResets: Bool {
        !isDraining && openStreams < min(limits.streams, peerLimit) && !canOpen && askedStreams == 0
    }

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

    /// The last opened stream has ended before its request was sent, and so before the peer knew of it.
    mutating func withdraw() {
        nextStreamID -= 2
        openStreams -= 1
        streamsOpened -= 1
    }

    /// A stream has ended; its bytes that wait to be written never are.
    mutating func close(unwritten: Int = 0) {
        openStreams -= 1
        window.drop(unwritten)
    }

    /// A stream was reset here.
    mutating func noteReset() { resetStreams += 1 }

    /// The peer was asked whether it knows of the resets.
    mutating func askAboutResets() { askedStreams = resetStreams }

    /// The peer knows of the resets about which it was asked.
    mutating func confirmResets() {
        resetStreams -= askedStreams
        askedStreams = 0
    }

    /// Stops opening streams.
    mutating func drain() { isDraining = true }

    /// Takes the peer's settings; returns the change of all open streams' windows.
    mutating func receiveSettings(maximumStreams: Int?, initialWindow: Int?, largestHead: Int? = nil) -> Int {
        self.largestHead = largestHead ?? self.largestHead
        if let limit = maximumStreams ?? (hasSettings ? nil : limits.streamsWithoutLimit) { peerLimit = limit }
        hasSettings = true
        guard let initialWindow else { return 0 }
        defer { initialSendWindow = initialWindow }
        return initialWindow - initialSendWindow
    }

    /// The peer has acknowledged our window for streams, which changes by `delta`.
    mutating func changeReceiveWindow(by delta: Int) { receiveWindow += delta }

    /// The peer accepts no more streams, and has processed none above this one.
    ///
    /// It may send this twice: first to stop new streams, then with the number (RFC 9113 section 6.8).
    mutating func receiveGoAway(lastStreamID: Int) {
        isDraining = true
        self.lastStreamID = min(lastStreamID, self.lastStreamID ?? .max)
    }

    /// Whether the peer has said that it did not process a stream.
    func isUnprocessed(_ streamID: Int) -> Bool {
        guard let lastStreamID else { return false }
        return streamID > lastStreamID
    }

    /// The credit to return to the peer when its window has shrunk; `nil` while it has enough.
    ///
    /// The connection's window is returned for received bytes, not for read ones: one slow consumer must not stop the
    /// others. Unread bytes are bounded by the windows of the streams.
    func credit(forWindow remaining: Int) -> Int? {
        remaining <= limits.connectionWindow / 2 ? limits.connectionWindow - remaining : nil
    }
}
