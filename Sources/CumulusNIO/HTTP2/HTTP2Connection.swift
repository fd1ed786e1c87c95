// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOSSL

/// Drives one HTTP/2 connection and its streams: NIOHTTP2 reads, checks and writes the frames, and this object, the
/// only one behind it, connects them with the exchanges, without a channel for each stream.
// Unchecked: touched on the engine's event loop only.
final class HTTP2Connection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let engine: LoopEngine
    let slot: OriginSlot
    private let watch = HTTP2FrameWatch()
    // Without checks of exclusive access where each frame needs them, as in HTTP1Connection.
    /// Heads that wait to be completed, and the one that is just being written.
    @exclusivity(unchecked) var largeHeads: [HTTP2StreamID: HTTP2LargeHead] = [:]
    var writtenHead: HTTP2LargeHead?
    /// The stream whose head is just being sent.
    var opening: HTTP2Stream?
    /// The stream whose request waits for the peer's settings, which its head may exceed; no other is opened meanwhile.
    @exclusivity(unchecked) var heldStream: HTTP2Stream?
    /// Streams whose response ended in the current read before their request did.
    @exclusivity(unchecked) var endedEarly: Set<HTTP2StreamID> = []
    /// Whether the current read brought a response whose request the peer may not have read to its end.
    var mayHaveLeftBody = false
    private let isSecure: Bool
    let limits = HTTP2Limits()
    @exclusivity(unchecked) var context: ChannelHandlerContext?
    @exclusivity(unchecked) var state: HTTP2ConnectionState
    @exclusivity(unchecked) var flood: HTTP2FloodGuard
    @exclusivity(unchecked) var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// Streams whose head arrived in the current read.
    @exclusivity(unchecked) var undelivered: [HTTP2Stream] = []
    /// Streams with content to hand over; the most recently served one is last.
    @exclusivity(unchecked) var uploads: [HTTP2Stream] = []
    /// How often waiting streams were continued, and how often a window has changed.
    var uploadTurns = 0
    var windowChanges = 0
    /// The stream that NIOHTTP2 has just reset; the error with the reason follows.
    private var broken: HTTP2Stream?
    @exclusivity(unchecked) var isReading = false
    var isFlushScheduled = false
    private(set) var isClosed = false
    private var framesReceived = 0
    private(set) var lastError: (any Error)?
    /// Whether the peer has answered a request, or announced that it will.
    var hasAnswered = false
    var lastCode: HTTP2ErrorCode?
    /// The connection's part of its exchanges' facts.
    var facts: ConnectionFacts
    /// The PING on whose answer all requests wait, the one that tells of resets, and how many were sent.
    var awaitedPing: UInt64?
    @exclusivity(unchecked) var resetPing: UInt64?
    var pings: UInt64 = 0
    /// How often the loop has still to look whether it has read what the peer sent while the connection was unused.
    var looksLeft = 0
    private lazy var socket = context?.channel.socket
    /// Called when the peer has had the chance to finish.
    private var parted: (() -> Void)?

    /// Reports the connection's changes; `nil` if they aren't observed.
    @exclusivity(unchecked) var monitor: ConnectionMonitor?
    /// The peer's address and port.
    var remoteAddress: String? { context?.channel.remoteAddress?.hostAndPort }
    /// Whether the pool counts the connection.
    var isPooled = false
    /// When it became unused.
    @exclusivity(unchecked) var idleSince: Moment?

    init(engine: LoopEngine, slot: OriginSlot, isSecure: Bool, opening: ConnectionFacts.Opening) {
        self.engine = engine
        self.slot = slot
        self.isSecure = isSecure
        facts = ConnectionFacts("h2", opening: opening)
        state = HTTP2ConnectionState(limits: slot.key.isForLargeHeads ? HTTP2Limits(streams: 1) : limits)
        flood = HTTP2FloodGuard(limits: limits, at: .now)
        watch.connection = self
    }

    /// The handlers that count, read and write the frames, to be placed directly in front.
    func makeCodec() -> [any ChannelHandler] { [HTTP2FrameMeter(self), makeFrameHandler()] }

    private func makeFrameHandler() -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: limits.streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.fieldSectionBytes),
        ]
        connection.maximumSequentialContinuationFrames = limits.continuationFrames
        connection.maximumBufferedControlFrames = limits.bufferedControlFrames
        connection.maximumRecentlyResetStreams = limits.cancelledStreams
        // `flood` counts all of these, with what explains them; limits of frames alone are met by correct peers.
        connection.maximumSequentialEmptyDataFrames = .max
        connection.maximumConnectionGlitches = .max
        connection.controlFrameRateLimit.windowLength = .zero
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.windowLength = .zero
        stream.streamErrorRateLimit.windowLength = .zero
        return NIOHTTP2Handler(
            mode: .client,
            frameDelegate: watch,
            connectionConfiguration: connection,
            streamConfiguration: stream
        )
    }

    // MARK: The engine's side

    /// Whether another exchange can begin now.
    var canOpen: Bool {
        !isClosed && state.canOpen && awaitedPing == nil && endedEarly.isEmpty && !mayHaveLeftBody && looksLeft == 0
            && heldStream == nil
    }
    /// Whether the peer has sent nothing that is not read yet, not even its end.
    var isQuiet: Bool { isAlive && socket.map(hasNothingToRead) ?? true }
    /// Whether it accepts no more exchanges.
    var isDraining: Bool { isClosed || state.isDraining }
    /// Whether its channel survived the preface.
    var isAlive: Bool { !isClosed && context?.channel.isActive == true }
    /// Whether it has no exchanges.
    var isEmpty: Bool { streams.isEmpty }
    /// The window of a new stream, for the peer's bytes.
    var streamWindow: Int { state.receiveWindow }

    /// Starts an exchange on its own stream.
    func begin(_ exchange: NIOExchange) {
        let isReused = state.streamsOpened > 0
        guard !isClosed, let number = state.open() else {
            var failure = TransportFailure(.connectionClosed, "the connection accepts no more requests", fate: .unsent)
            failure.connectionHadServed = true
            return engine.connectionFailed(exchange, failure)
        }
        let stream = HTTP2Stream(
            id: HTTP2StreamID(number),
            exchange: exchange,
            connection: self,
            isReused: isReused,
            framesBefore: framesReceived,
            state: HTTP2StreamState(
                isHead: exchange.outgoing.kind == .head,
                sendWindow: state.initialSendWindow,
                limits: limits
            )
        )
        streams[stream.id] = stream
        if isReused, case .created = exchange.state {
            // A connection starts it immediately: no time has passed.
            exchange.state = .streaming(stream)
        } else {
            exchange.enter(.streaming(stream))
        }
        facts.begin(&exchange.facts, isReused: isReused, over: context?.channel)
        if state.hasSettings || exchange.outgoing.largeHead == nil {
            sendRequest(on: stream)
        } else {
            heldStream = stream
        }
        askAboutResets()
        if state.isDraining { engine.connectionIsDraining(self) }
    }

    /// Resets a stream whose exchange has ended in another way.
    func cancel(_ stream: HTTP2Stream) {
        remove(stream)
        reset(stream, .cancel)
        engine.streamsChanged(self)
    }

    /// Accepts no more exchanges if nothing has arrived since a count of frames: the peer may have disappeared
    /// silently.
    func doubt(since frames: Int) {
        guard frames == framesReceived, !isDraining else { return }
        drain()
    }

    /// Accepts no more exchanges, and closes as soon as it has none.
    func leave() {
        drain()
        engine.streamsChanged(self)
    }

    /// Accepts no more exchanges.
    private func drain() {
        if state.isDraining { return }
        state.drain()
        engine.connectionIsDraining(self)
    }

    /// The peer broke off an exchange: one that does so all the time gets no more.
    func noteFailure() {
        if !flood.allowsFailure(at: .now) { drain() }
    }

    /// Lets requests wait until the loop has read what the peer sent while the connection was unused: it may say that
    /// it accepts no more, and a server need not send GOAWAY before it closes (RFC 9113 section 9.1).
    func readFirst() {
        guard looksLeft == 0 else { return }
        // The loop reads before its next timers; a stop that is longer than all of them changes nothing.
        looksLeft = 20
        lookLater()
    }

    private func lookLater() {
        engine.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) {
            guard self.looksLeft > 0, !self.isClosed else { return }
            self.looksLeft -= 1
            if self.looksLeft > 0 { self.lookLater() }
            self.look()
        }
    }

    /// Lets the waiting requests begin if everything is read, or it has been looked often enough.
    private func look() {
        guard !isClosed, looksLeft == 0 || isQuiet else { return }
        looksLeft = 0
        engine.streamsChanged(self)
    }

    /// Closes a connection without exchanges.
    func close() {
        if isClosed { return }
        isClosed = true
        sayGoodbye()
        context?.flush()
        context?.close(promise: nil)
    }

    /// Closes a connection without exchanges, once the peer knows of it and its earlier frames are answered; the wait
    /// is short.
    func part(_ parted: @escaping () -> Void) {
        guard !isClosed, let context else { return parted() }
        isClosed = true
        self.parted = parted
        sayGoodbye()
        // Its acknowledgment comes after everything that the peer had sent.
        send(.ping(HTTP2PingData(withInteger: 0), ack: false), on: .rootStream)
        context.flush()
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.farewell) { self.endParting() }
    }

    /// Closes the channel of a connection that waited for the peer's last frames.
    func endParting() {
        guard let parted else { return }
        self.parted = nil
        context?.close(promise: nil)
        parted()
    }

    /// Ends the exchanges of a connection that the peer has ended for an error, without waiting until it closes.
    func closeWhenSilent() {
        let frames = framesReceived
        engine.eventLoop.assumeIsolated().scheduleTask(in: Self.farewell) {
            if self.isClosed { return }
            // Incorrect peers go on.
            if frames != self.framesReceived { return self.closeWhenSilent() }
            let ended = self.takeAll()
            self.closeNow()
            self.failLost(ended)
        }
    }

    /// How long to wait for a peer's last frames: a nearby peer has responded by then.
    private static let farewell = TimeAmount.milliseconds(100)

    private func sayGoodbye() {
        send(.goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil), on: .rootStream)
    }

    /// Closes the channel without TLS's close_notify, for which the peer may take its time.
    private func closeNow() {
        isClosed = true
        guard let context else { return }
        let pipeline = context.pipeline.syncOperations
        let outermost = isSecure ? try? pipeline.context(handlerType: NIOSSLClientHandler.self) : nil
        (outermost ?? context).close(promise: nil)
    }

    // MARK: The channel's events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The connection's window can't be set, only raised (RFC 9113 section 6.9.2).
        send(.windowUpdate(windowSizeIncrement: limits.connectionWindow - 65_535), on: .rootStream)
        context.flush()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        framesReceived += 1
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let content): receive(content, on: frame.streamID)
        case .data(let content): receive(content, on: frame.streamID)
        case .rstStream(let code): receiveReset(code, on: frame.streamID)
        case .windowUpdate(let increment): receiveWindowUpdate(increment, on: frame.streamID)
        case .settings(.settings(let settings)): receive(settings)
        case .goAway(let last, let code, _): receiveGoAway(Int(last), code)
        case .pushPromise: breakOff(.push, code: .protocolError)
        case .ping(let data, ack: true): receiveAnswer(to: data)
        case .settings(.ack), .ping, .priority, .alternativeService, .origin: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if looksLeft > 0 { look() }
        // NIOHTTP2 has flushed everything written so far.
        resumeUploads()
        if undelivered.isEmpty { return }
        let streams = undelivered
        undelivered.removeAll(keepingCapacity: true)
        for stream in streams where !stream.state.hasEnded { stream.exchange.deliverHead() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { resumeUploads() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Each stream begins and ends with an event: types compare faster than casts fail.
        if type(of: event) == NIOHTTP2StreamCreatedEvent.self {
            return context.fireUserInboundEventTriggered(event)
        }
        switch event {
        case let event as StreamClosedEvent:
            // A regular end of a stream, or the peer's reset, has already arrived as a frame.
            if event.reason != nil, let stream = streams[event.streamID] { broken = stream }
        case let event as NIOHTTP2WindowUpdatedEvent: noteWindow(event)
        case let event as NIOHTTP2BulkStreamWindowChangeEvent:
            state.changeReceiveWindow(by: event.delta)
            for stream in streams.values { stream.state.changeReceiveWindow(by: event.delta) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isClosed { return endParting() }
        if watch.hasSentGoAway { return breakOff(error) }
        if let stream = broken {
            broken = nil
            noteReset(stream)
            noteFailure()
            return fail(stream, .http2(error, fate: stream.exchange.fate), isReset: true)
        }
        if let stream = opening {
            // The peer knows nothing of this stream, and the tables may differ now: only what runs may end here.
            drain()
            return fail(stream, .unwritable(error), isReset: true)
        }
        switch error {
        case let error as NIOHTTP2Errors.StreamError:
            guard let stream = streams[error.streamID] else { return }
            noteFailure()
            fail(stream, .http2(error.baseError, fate: stream.exchange.fate))
        case is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.StreamClosed:
            // A frame for a stream that has ended on this side.
            return
        case NIOSSLError.uncleanShutdown:
            // NIOSSL closes the connection itself after this error.
            return
        case is any NIOHTTP2Error:
            breakOff(error)
        default:
            if lastError == nil || TLSAlert(error)?.isRefusal == true { lastError = error }
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        monitor?.note(.closed)
        endParting()
        failLost(takeAll())
    }

    /// Fails the exchanges of a connection that the peer has ended.
    private func failLost(_ ended: [HTTP2Stream]) {
        fail(ended) { [engine, slot, lastCode, lastError] stream in
            let (hasHead, fate) = (stream.state.hasHead, stream.exchange.fate)
            return .refused(slot, of: engine, lastError, hasHead: hasHead, fate: fate)
                ?? .connectionLost(hasHead: hasHead, code: lastCode, fate: fate, cause: lastError)
        }
    }

    /// The peer violated rules that NIOHTTP2 doesn't check; it is told which.
    func breakOff(_ error: HTTP2ProtocolError, code: HTTP2ErrorCode) {
        if isClosed { return }
        if !watch.hasSentGoAway {
            send(.goAway(lastStreamID: .rootStream, errorCode: code, opaqueData: nil), on: .rootStream)
            context?.flush()
        }
        breakOff(error)
    }

    /// The peer violated the rules of the connection: nothing on it can be trusted any more.
    private func breakOff(_ error: any Error) {
        // Closing can re-enter here as the channel's end, which would report a lesser error of the peer.
        let ended = takeAll()
        closeNow()
        fail(ended) { .http2(error, fate: $0.exchange.fate) }
    }

    private func takeAll() -> [HTTP2Stream] {
        let ended = streams.values.sorted { $0.id < $1.id }
        streams = [:]
        heldStream = nil
        undelivered = []
        uploads = []
        endedEarly = []
        mayHaveLeftBody = false
        awaitedPing = nil
        resetPing = nil
        largeHeads = [:]
        for stream in ended { stream.stopSending() }
        return ended
    }

    private func fail(_ ended: [HTTP2Stream], _ failure: (HTTP2Stream) -> TransportFailure) {
        if lastCode != .noError { engine.recordLostConnection(under: ended.map(\.exchange)) }
        engine.connectionIsGone(self)
        for stream in ended {
            var failure = failure(stream)
            if state.isUnprocessed(Int(stream.id)) {
                engine.refused(stream.exchange, afterAnswers: hasAnswered)
            } else {
                failure.connectionHadServed =
                    stream.isReused && !stream.state.hasBegun && failure.kind == .connectionClosed
                engine.connectionFailed(stream.exchange, failure)
            }
        }
    }
}
