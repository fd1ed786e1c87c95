// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// One exchange on a shared connection, and the part of its request that is waiting to be sent.
// Unchecked: touched on the engine's event loop only.
final class HTTP2Stream: @unchecked Sendable {
    let id: HTTP2StreamID
    let exchange: NIOExchange
    private(set) weak var connection: HTTP2Connection?
    /// Whether the connection had carried an exchange before this one.
    let isReused: Bool
    /// How many frames had arrived on the connection before it.
    private let framesBefore: Int
    /// Whether its request is known to be short, so that others can wait until all of it is sent.
    let isShort: Bool
    // Without checks of exclusive access, as in HTTP1Connection.
    @exclusivity(unchecked) var state: HTTP2StreamState
    var sender: (any BodySender)?
    /// Bytes that are not handed over yet.
    @exclusivity(unchecked) private(set) var pending = ByteBuffer()
    /// Whether nothing follows `pending`.
    private(set) var endsAfterPending = false
    /// The section that ends the request after `pending`; `nil` if the last bytes do.
    private(set) var trailers: HPACKHeaders?
    /// Whether the request's last frame has been handed over.
    private(set) var isHandedOver = false
    /// Whether the response is an error, for which the peer may not have read the whole request.
    var isRefused = false
    private var isReadHeld = false
    /// Counts changes of `pending`, and whether a look at it is scheduled.
    private var changes = 0
    private var isWatched = false

    /// The longest body that counts as short.
    private static let shortBody = 1 << 20

    init(
        id: HTTP2StreamID,
        exchange: NIOExchange,
        connection: HTTP2Connection,
        isReused: Bool,
        framesBefore: Int,
        state: HTTP2StreamState
    ) {
        self.id = id
        self.exchange = exchange
        self.connection = connection
        self.isReused = isReused
        self.framesBefore = framesBefore
        self.state = state
        isShort = exchange.request.body.length.map { $0 <= Self.shortBody } ?? false
    }

    /// Whether the consumer of the response is the slow side.
    var isWaitingForConsumer: Bool { isReadHeld }
    /// Whether the source of the request's body is the slow side.
    var isWaitingForSource: Bool { sender.map { $0.isWaitingForSource && !$0.isWhole } ?? false && !isBlocked }

    /// Whether the windows hold bytes back.
    private var isBlocked: Bool {
        guard let connection, pending.readableBytes > 0 else { return false }
        return state.isBlocked(pending.readableBytes, connection: connection.state.window)
    }

    /// Ends the stream without its connection, and without notifying the exchange.
    func abort() { connection?.cancel(self) }

    /// Its exchange has waited too long, and is about to end.
    func timedOut() { connection?.doubt(since: framesBefore) }

    /// Returns credit to the peer for read bytes, if the consumer keeps up.
    func returnCredit() {
        guard let connection, let credit = state.credit(ofWindow: connection.streamWindow) else { return }
        isReadHeld = !exchange.mayRead()
        if !isReadHeld { connection.returnCredit(credit, to: self) }
    }

    /// Continues after a pause that the consumer caused.
    func resumeReading() {
        guard isReadHeld else { return }
        isReadHeld = false
        returnCredit()
    }

    /// Starts a body that needs a sender.
    func begin(_ sender: any BodySender) {
        self.sender = sender
        sender.pump()
    }

    /// Starts a body that is in memory.
    func begin(_ bytes: ByteBuffer) {
        pending = bytes
        endsAfterPending = true
        connection?.resume(self)
    }

    /// Takes as much of `pending` as may be sent, with whether that is the end; `nil` if there is nothing to send.
    func takePending(isLate: Bool, connection: HTTP2SendWindow, upTo limit: Int) -> (bytes: ByteBuffer, ends: Bool)? {
        if isHandedOver { return nil }
        let waiting = pending.readableBytes
        let allowed = state.sendable(waiting, ends: endsAfterPending, isLate: isLate, connection: connection)
        let count = min(allowed, limit)
        let ends = endsAfterPending && count == waiting
        guard count > 0 || ends, let piece = pending.readSlice(length: count) else { return nil }
        changes += 1
        // Sent bytes must not stay in memory in front of unsent ones.
        if count == waiting { pending = ByteBuffer() }
        if ends { isHandedOver = true }
        state.window.queue(count)
        return (piece, ends)
    }

    /// Sends what is held back after a while in which nothing changes: no more comes for now.
    ///
    /// For a source, a short time tells. For windows, nothing on the connection must change: a peer may give credit
    /// only when it has all bytes.
    func watchPending() {
        guard !isWatched, pending.readableBytes > 0, let connection else { return }
        let isBlocked = isBlocked
        // A closed window has to be opened first.
        if isBlocked, min(state.window.free, connection.state.window.free) <= 0 { return }
        // The next bytes of a file are on their way, however long a busy machine takes for them.
        if !isBlocked, let sender = sender as? FileSender, !sender.isWhole { return }
        isWatched = true
        let seen = isBlocked ? connection.windowChanges : changes
        connection.engine.eventLoop.scheduleTask(in: isBlocked ? .milliseconds(100) : .milliseconds(2)) {
            self.isWatched = false
            guard let connection = self.connection else { return }
            let isLate = seen == (isBlocked ? connection.windowChanges : self.changes)
            connection.continueSending(self, isLate: isLate)
        }
    }

    /// Drops unsent bytes.
    func stopSending() {
        sender?.stop(isBodySent: state.isRequestWhole)
        sender = nil
        pending = ByteBuffer()
    }
}

extension HTTP2Stream: BodyOutlet {
    /// False while there is enough for the next frame and for one that may be the last.
    var isWritable: Bool {
        pending.readableBytes < 2 * HTTP2LargeHead.frameSize && connection?.isChannelWritable == true
    }

    /// False: files are read, since frames have to be made around their bytes.
    var takesFileRegions: Bool { false }

    func send(_ data: IOData, flush: Bool, keeping owner: AnyObject?) {
        guard case .byteBuffer(let bytes) = data, let connection else { return }
        changes += 1
        if pending.readableBytes == 0 { pending = bytes } else { pending.writeImmutableBuffer(bytes) }
        if sender?.isWhole == true { endsAfterPending = true }
        connection.resume(self)
    }

    func noteProgress() {
        exchange.lastActivity = exchange.request.clock.moment
    }

    func sendTrailers(_ trailers: HTTPFields) { self.trailers = HTTP2RequestTrailers.section(of: trailers) }

    func sendingFinished(_ finished: any BodySender) {
        guard sender === finished else { return }
        sender = nil
        endsAfterPending = true
        noteProgress()
        connection?.resume(self)
    }

    func sendingFailed(_ failed: any BodySender, _ failure: TransportFailure) {
        guard sender === failed else { return }
        connection?.fail(self, failure)
    }
}
