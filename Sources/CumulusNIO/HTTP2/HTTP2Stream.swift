// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOHTTP2

/// One exchange on a shared connection, and the part of its request that is waiting to be sent.
final class HTTP2Stream {
    let id: HTTP2StreamID
    let exchange: NIOExchange
    private(set) weak var connection: HTTP2Connection?
    /// Whether the connection had carried an exchange before this one.
    let isReused: Bool
    /// How many frames had arrived on the connection before it.
    private let framesBefore: Int
    var state: HTTP2StreamState
    var sender: (any BodySender)?
    /// Whether a streamed body was started, so that it can't be produced again.
    private(set) var bodyHasBegun = false
    /// Bytes that the peer's windows have not allowed yet.
    private(set) var pending = ByteBuffer()
    /// Whether nothing follows `pending`.
    var endsAfterPending = false
    private var isReadHeld = false

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
    }

    /// The bytes that wait for the peer's window.
    var unsentBytes: Int { pending.readableBytes }

    /// Whether the peer is to act next; false while our own caller is the slow side.
    var isWaitingForPeer: Bool { !isReadHeld && sender?.isWaitingForSource != true }

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
        bodyHasBegun = true
        self.sender = sender
        sender.pump()
    }

    /// Takes as much of `pending` as may be sent; `nil` if that is nothing.
    func takePending(connectionWindow: Int) -> ByteBuffer? {
        let count = state.sendable(pending.readableBytes, connectionWindow: connectionWindow)
        guard count > 0, let piece = pending.readSlice(length: count) else { return nil }
        // Sent bytes must not stay in memory in front of unsent ones.
        if pending.readableBytes == 0 { pending = ByteBuffer() }
        state.spend(count)
        return piece
    }

    /// Drops unsent bytes.
    func stopSending() {
        sender?.stop()
        sender = nil
        pending = ByteBuffer()
    }
}

extension HTTP2Stream: BodyOutlet {
    /// True unless the windows hold back bytes here, at most one piece: the end of a body needs no window.
    var isWritable: Bool { pending.readableBytes == 0 && connection?.isChannelWritable == true }

    /// False: files are read, since frames have to be made around their bytes.
    var takesFileRegions: Bool { false }

    func send(_ data: IOData, flush: Bool, keeping owner: AnyObject?) {
        guard case .byteBuffer(let bytes) = data, let connection else { return }
        if pending.readableBytes == 0 { pending = bytes } else { pending.writeImmutableBuffer(bytes) }
        connection.sendPending(of: self)
    }

    func noteProgress() {
        exchange.lastActivity = exchange.request.clock.moment
    }

    func sendingFinished(_ finished: any BodySender) {
        guard sender === finished else { return }
        sender = nil
        endsAfterPending = true
        noteProgress()
        connection?.sendPending(of: self)
    }

    func sendingFailed(_ failed: any BodySender, _ failure: TransportFailure) {
        guard sender === failed else { return }
        connection?.fail(self, failure)
    }
}
