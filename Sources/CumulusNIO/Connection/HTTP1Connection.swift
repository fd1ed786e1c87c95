// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import NIOSSL
import NIOTLS

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Drives one HTTP/1.1 connection: our only object in its channel, which owns the parser and the connection's current
/// exchange.
final class HTTP1Connection: ChannelDuplexHandler, RemovableChannelHandler, BodyOutlet {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    let engine: LoopEngine
    // Without checks of exclusive access: nothing else runs on the loop while one of these is read or written, and the
    // checks would take 4% of a small request's instructions.
    @exclusivity(unchecked) private var context: ChannelHandlerContext?
    @exclusivity(unchecked) private var parser = HTTP1ResponseParser()
    @exclusivity(unchecked) private var exchange: NIOExchange?
    @exclusivity(unchecked) private var sender: (any BodySender)?
    @exclusivity(unchecked) private var permission = BodyPermission.given
    private(set) var exchangesCarried = 0
    /// From when on the peer may close the connection because it is idle; `nil` if it has not said so.
    @exclusivity(unchecked) private(set) var expiry: Moment?
    /// When the last exchange ended, on its own clock.
    @exclusivity(unchecked) private(set) var idleSince: Moment?
    /// Whether the server may not have read the last request to its end, and may close the connection for that.
    @exclusivity(unchecked) private(set) var mayBeUnread = false
    /// Whether the last completed request was larger than what servers read after their response.
    @exclusivity(unchecked) private(set) var wasLarge = false
    /// Whether the peer may have responded without reading the body to its end.
    @exclusivity(unchecked) private var mayHaveLeftBody = false
    /// Whether the response began before the peer's system had confirmed the whole body.
    @exclusivity(unchecked) private var isHeadEarly = false
    private var isReadHeld = false
    /// Set while a long body of known length arrives.
    @exclusivity(unchecked) private var threshold: ReceiveThreshold?
    /// The bytes that the channel had not written at the last check, while a body was sent.
    private(set) var unsentBytes = 0
    /// The bytes that the peer's system had not confirmed at the last check.
    private var undeliveredBytes = 0
    @exclusivity(unchecked) private var isClosed = false
    private var lastError: (any Error)?
    /// The socket on which callers may write while the connection is idle.
    @exclusivity(unchecked) private var callerSocket: CallerSocket?
    /// When the connection was last returned to the pool.
    @exclusivity(unchecked) var freeSince = Moment.now
    /// Whether its last caller runs on the loop.
    @exclusivity(unchecked) private var servesLoop = false

    /// The attempt that opens the connection, until it is part of the pool.
    var attempt: ConnectionAttempt?
    /// The origin that the connection leads to, once it is part of the pool.
    @exclusivity(unchecked) var slot: OriginSlot?
    /// Reports the connection's changes; `nil` if they aren't observed.
    @exclusivity(unchecked) var monitor: ConnectionMonitor?
    /// The connection's part of its exchanges' facts.
    @exclusivity(unchecked) var facts = ConnectionFacts("HTTP/1.1")
    /// Whether the origin is reached over TLS.
    let isSecure: Bool
    /// Whether any TLS is used: with the origin, or with the proxy that forwards requests to it.
    let isEncrypted: Bool
    /// The origin's TLS handler, until its certificate is checked: a weak reference would slow all others down.
    var security: NIOSSLClientHandler?
    /// Reads the cipher suite from the origin's handshake, until it is part of the facts.
    var hello: ServerHelloReader?
    /// The protocol from the TLS handshake (ALPN); `nil` if there was no agreement.
    private(set) var negotiatedProtocol: String?
    /// Whether requests can be sent: the TLS handshake, if any, is done, and the peer's identity is verified.
    var isReady: Bool
    /// Whether something was written to the channel since it was last known to be empty.
    private var hasWritten = false

    init(engine: LoopEngine, attempt: ConnectionAttempt, isSecure: Bool, isEncrypted: Bool) {
        self.engine = engine
        self.attempt = attempt
        self.isSecure = isSecure
        self.isEncrypted = isEncrypted
        isReady = !isSecure
    }

    // MARK: The engine's side

    /// The peer's address and port.
    var remoteAddress: String? { context?.channel.remoteAddress?.hostAndPort }

    /// Starts an exchange on a connection that has none; its caller may already have written `written` bytes of it.
    func begin(_ exchange: NIOExchange, written: Int = 0) {
        self.exchange = exchange
        if let monitor { monitor.note(.active) }
        if exchangesCarried > 0, case .created = exchange.state {
            // An idle connection starts immediately: no time has passed.
            exchange.state = .active(self)
        } else {
            exchange.enter(.active(self))
        }
        facts.begin(&exchange.facts, isReused: exchangesCarried > 0, over: context?.channel)
        exchangesCarried += 1
        expiry = nil
        mayBeUnread = false
        mayHaveLeftBody = false
        isHeadEarly = false
        parser.expect(exchange.outgoing.kind)
        servesLoop = exchange.comesFromLoop
        if written > 0 {
            exchange.fate = .unknown
            exchange.facts.bytesSent += Int64(written)
        }
        if written < exchange.outgoing.start.readableBytes {
            var rest = exchange.outgoing.start
            rest.moveReaderIndex(forwardBy: written)
            send(.byteBuffer(rest), flush: true)
            // A failing write closes the connection immediately, and the exchange may have moved on by now.
            guard self.exchange === exchange else { return }
        }
        if let wait = exchange.outgoing.continueWait {
            permission = .awaited(until: exchange.request.clock.moment + wait)
        } else {
            permission = .given
            beginSending(exchange)
        }
    }

    /// Lets callers write, if possible; `isNew` if the socket is not on a stack yet.
    func offer() -> (socket: CallerSocket, isNew: Bool)? {
        // A caller that has sent one request here may send more; others don't pay for the descriptor, and callers on the
        // loop don't use it.
        guard !isEncrypted, !servesLoop, exchangesCarried > 0, !isClosed, !mayBeUnread else {
            return nil
        }
        let limit = idleLimit.map { freeSince + $0 - Self.margin(of: $0) }
        if let limit, limit <= freeSince { return nil }
        // Bytes in the channel must go first: an early response may leave the end of a body there.
        if hasWritten {
            if hasUnwrittenBytes { return nil }
            hasWritten = false
        }
        let socket = callerSocket ?? openSocket.flatMap { CallerSocket($0) }
        callerSocket = socket
        let end = limit.map { min($0, expiry ?? $0) } ?? expiry
        return socket.map { ($0, $0.offer(until: end)) }
    }

    /// Lets nobody write any more; returns the exchange of a caller that has.
    func withdraw() -> CallerSocket.BegunExchange? { callerSocket?.withdraw() }

    /// Adopts the exchange of a caller that has written, if there is one; otherwise the offer stands.
    func adoptBegun() { adopt(callerSocket?.takeBegun()) }

    /// The same, and withdraws the offer.
    func withdrawOffer(isOffStack: Bool = false) { adopt(callerSocket?.withdraw(isOffStack: isOffStack)) }

    /// Closes the callers' socket, so that closed connections don't pile up among the open ones.
    private func closeCallerSocket() {
        guard let callerSocket, callerSocket.close(), let slot else { return }
        engine.stack.remove(callerSocket, for: slot.origin)
    }

    private func adopt(_ begun: CallerSocket.BegunExchange?) {
        guard let begun, let slot, slot.pool.take(self) else { return }
        engine.adopt(begun, self)
    }

    /// Sends the body anyway if the server has not responded for long enough.
    func observeContinue(at now: Moment) {
        guard let exchange, case .awaited(let limit) = permission, now >= limit else { return }
        permission = .given
        beginSending(exchange)
    }

    private func beginSending(_ exchange: NIOExchange) {
        undeliveredBytes = 0
        sender = makeSender(for: exchange)
        guard sender != nil else { return exchange.requestSentAt = exchange.stateStartedAt }
        pump()
    }

    private func pump() {
        sender?.pump()
        // The beginning of an early response must not wait either.
        if let openSocket { confirmReceivedBytes(openSocket) }
    }

    /// Whether no unsolicited bytes have arrived, as far as that is visible.
    ///
    /// Under TLS the bytes are records: whether they are only a close_notify can't be told without reading them.
    var isQuiet: Bool {
        if let callerSocket { return callerSocket.isQuiet }
        guard let channel = context?.channel, channel.isActive else { return false }
        return socket.map(hasNothingToRead) ?? true
    }

    /// How much servers read after their response, to be able to use the connection again.
    private static let drainedBytes: Int64 = 64 << 10

    private lazy var socket = context?.channel.socket
    var openSocket: CInt? { !isClosed && context?.channel.isActive == true ? socket : nil }

    /// Drops the exchange with its connection, without notifying the exchange.
    func abort() {
        let isSending = sender != nil
        endExchange()
        closeNow(resetting: isSending)
        engine.connectionIsGone(self)
    }

    /// Closes the channel.
    func close() {
        isClosed = true
        closeCallerSocket()
        context?.close(promise: nil)
    }

    /// Passes the channel to another protocol, before any exchange.
    func handOver(to connection: HTTP2Connection) throws {
        guard let context else { throw ChannelError.alreadyClosed }
        let pipeline = context.pipeline.syncOperations
        try pipeline.addHandlers(connection.makeCodec() + [connection], position: .before(self))
        pipeline.removeHandler(self, promise: nil)
    }

    /// Closes the channel without TLS's close_notify, for which the peer may take its time; an incomplete request is
    /// cut off by a reset, because the end of the connection would wait behind bytes that nobody may ever read.
    private func closeNow(resetting: Bool) {
        isClosed = true
        closeCallerSocket()
        guard let context else { return }
        if resetting, let options = context.channel as? any SocketOptionProvider {
            // Only best effort: without it the system releases the connection later.
            _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        let pipeline = context.pipeline.syncOperations
        let outermost = isEncrypted ? try? pipeline.context(handlerType: NIOSSLClientHandler.self) : nil
        (outermost ?? context).close(promise: nil)
    }

    /// Continues after a pause that the consumer caused.
    func resumeReading() {
        guard isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    /// Whether the consumer of the response is the slow side.
    var isWaitingForConsumer: Bool { isReadHeld }
    /// Whether the source of the request's body is the slow side.
    var isWaitingForSource: Bool { sender.map { $0.isWaitingForSource && !$0.isWhole } ?? false }

    /// Records whether the peer has accepted some of the waiting bytes; a large piece counts before it is complete.
    func observeSending() {
        observeDelivery()
        guard let sender, let options = context?.channel.syncOptions,
            let waiting = try? options.getOption(.bufferedWritableBytes)
        else { return }
        if waiting < unsentBytes { noteProgress() }
        let isStuck = waiting > 0 && waiting == unsentBytes
        unsentBytes = waiting
        if isStuck { sender.checkSource() }
    }

    /// Records whether more of the body has reached the peer: one that reads slowly isn't silent, and a response isn't
    /// late while the system still holds a part of its request.
    private func observeDelivery() {
        guard let exchange, !exchange.hasHead, exchange.outgoing.hasRemainder, let openSocket else { return }
        // What the channel still has fills up what the system has.
        let waiting = unconfirmedBytes(openSocket) + unwrittenBytes
        defer { undeliveredBytes = waiting }
        guard waiting < undeliveredBytes else { return }
        noteProgress()
        if exchange.requestSentAt != nil { exchange.requestSentAt = exchange.lastActivity }
    }

    /// Whether a request body is still being sent.
    var isSending: Bool { sender != nil }

    /// The peer's certificate, if the handshake got that far.
    var peerCertificate: NIOSSLCertificate? { security?.peerCertificate }

    // MARK: The body sender's side

    /// Whether the peer keeps up.
    var isWritable: Bool { context?.channel.isWritable ?? false }
    /// True on plain connections, with `sendfile`.
    var takesFileRegions: Bool { !isEncrypted }

    func send(_ data: IOData, flush: Bool, keeping owner: AnyObject?) {
        guard let context, let exchange else { return }
        exchange.fate = .unknown
        exchange.facts.bytesSent += Int64(data.readableBytes)
        var written: EventLoopPromise<Void>?
        if owner != nil || exchange.outgoing.hasRemainder {
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenComplete { result in
                // A reset that meets a write is reported here alone.
                if case .failure(let error as IOError) = result, error.errnoCode == ECONNRESET {
                    self.lastError = error
                }
                withExtendedLifetime(owner) {}
            }
            written = promise
        }
        hasWritten = true
        context.write(NIOAny(data), promise: written)
        if flush { context.flush() }
    }

    /// Records that the peer has accepted some bytes.
    func noteProgress() {
        guard let exchange else { return }
        exchange.lastActivity = exchange.request.clock.moment
    }

    /// The whole body has been written.
    func sendingFinished(_ finished: any BodySender) {
        guard sender === finished else { return }
        sender = nil
        noteProgress()
        exchange?.requestSentAt = exchange?.lastActivity
    }

    /// The body could not be produced.
    func sendingFailed(_ failed: any BodySender, _ failure: TransportFailure) {
        guard sender === failed, let exchange else { return }
        end(exchange, with: failure)
    }

    private func makeSender(for exchange: NIOExchange) -> (any BodySender)? {
        switch exchange.outgoing.remainder {
        case .nothing: nil
        case .bytes(let bytes): BytesSender(bytes, outlet: self)
        case .file(let file): FileSender(file, outlet: self, eventLoop: engine.eventLoop)
        case .stream(let stream):
            StreamSender(stream, framing: .http1(exchange.outgoing.writer), outlet: self, eventLoop: engine.eventLoop)
        }
    }

    // MARK: The channel's events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if exchange == nil { withdrawOffer() }
        guard let exchange else {
            // Whatever these bytes are, the next request must not take them for its response.
            return discard()
        }
        let now = exchange.request.clock.moment
        exchange.noteReceived(at: now)
        exchange.facts.bytesReceived += Int64(bytes.readableBytes)
        if !parser.hasBegun { exchange.facts.phases.firstByte = now - exchange.startedAt }
        if !exchange.hasHead {
            parser.noteProgress(sent: exchange.facts.bytesSent, after: now - exchange.stateStartedAt)
        }
        parser.receive(bytes)
        let hadHead = exchange.hasHead
        drain(exchange, now)
        if !hadHead, exchange.hasHead, self.exchange === exchange, let openSocket { confirmReceivedBytes(openSocket) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        exchange?.deliverHead()
        if threshold != nil { adjustThreshold() }
    }

    private func adjustThreshold() {
        guard let exchange, let openSocket else { return }
        let received = exchange.facts.bytesReceived
        let bytes = threshold?.noteRead(received: received, remaining: parser.remainingContent)
        if let bytes { setReceiveThreshold(openSocket, to: bytes) }
    }

    /// Whether a long body arrives, whose pace has to be watched.
    var isReadingLongBody: Bool { threshold != nil }

    /// Has the bytes of a long body delivered that don't come as fast as before.
    func observeReading() {
        guard let exchange, let openSocket,
            let bytes = threshold?.noteSweep(received: exchange.facts.bytesReceived)
        else { return }
        setReceiveThreshold(openSocket, to: bytes)
        // Bytes that have waited here were not late.
        if !hasNothingToRead(openSocket) { noteProgress() }
    }

    func read(context: ChannelHandlerContext) {
        if let exchange, !exchange.mayRead() {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, sender != nil else { return }
        noteProgress()
        pump()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let agreed)? = event as? TLSUserEvent {
            negotiatedProtocol = agreed
            attempt?.handshakeCompleted(self)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An alert tells more than the break that it brings about.
        if lastError == nil || TLSAlert(error)?.isRefusal == true { lastError = error }
        if attempt != nil { return failAttempt() }
        if exchange == nil { withdrawOffer() }
        // NIOSSL closes the connection itself after this error.
        if case NIOSSLError.uncleanShutdown = error { return }
        if exchange != nil { return context.close(promise: nil) }
        if !isClosed { recordIdleClose() }
        discard()
    }

    func channelInactive(context: ChannelHandlerContext) {
        let wasClosedHere = isClosed
        isClosed = true
        monitor?.note(.closed)
        if exchange == nil { withdrawOffer() }
        closeCallerSocket()
        if let exchange {
            finish(exchange)
        } else if attempt != nil {
            failAttempt()
        } else {
            if !wasClosedHere { recordIdleClose() }
            engine.idleConnectionIsGone(self)
        }
    }

    /// Closes an unused connection, and ensures that nobody gets it while it closes.
    private func discard() {
        close()
        engine.idleConnectionIsGone(self)
    }

    // MARK: Response

    private func drain(_ exchange: NIOExchange, _ now: Moment) {
        do throws(HTTP1ProtocolError) {
            while let event = try parser.next() {
                switch consume event {
                case .informational(let head):
                    exchange.noteInformational(at: now)
                    exchange.note(head.droppedFields)
                    exchange.request.onInformational?(head.httpResponse)
                    if head.status == 100, case .awaited = permission {
                        permission = .given
                        beginSending(exchange)
                    }
                case .head(let head, let length):
                    // The server has decided on its response without the body.
                    if case .awaited = permission { permission = .withheld }
                    if exchange.outgoing.hasRemainder, !isRequestConfirmed { isHeadEarly = true }
                    // Servers answer so before they have read a large body, and then close the connection.
                    if head.status >= 400, exchange.outgoing.hasRemainder { mayHaveLeftBody = true }
                    // It isn't the one to ask here (RFC 9110 section 15.5.20).
                    if head.status == 421 { mayHaveLeftBody = true }
                    exchange.note(head.droppedFields)
                    let head = ResponseHead(head, connectionHadServed: exchange.facts.isReused)
                    exchange.receive(head, length: length, at: now)
                    if let length, length >= ReceiveThreshold.leastLength {
                        threshold = ReceiveThreshold(received: exchange.facts.bytesReceived)
                        engine.startSweeping()
                    }
                case .content(let bytes): exchange.receive(bytes)
                case .end(let trailers): return complete(exchange, trailers, now)
                }
            }
        } catch {
            end(exchange, for: error)
        }
    }

    private func complete(_ exchange: NIOExchange, _ trailers: HTTP1FieldSection?, _ now: Moment) {
        exchange.facts.phases.lastByte = now - exchange.startedAt
        // An unfinished request body that nobody waits for leaves the connection in the middle of a message.
        let isSending = isHeadEarly && (sender.map { !$0.isWhole } ?? false || hasUnwrittenBytes)
        // A server that has not read all of a body closes the connection, and may do so under the next request.
        if isHeadEarly, let openSocket, unconfirmedBytes(openSocket) > 0 { mayHaveLeftBody = true }
        wasLarge = exchange.facts.bytesSent > Self.drainedBytes
        mayBeUnread = wasLarge && (isHeadEarly || leavesLargeBodies)
        if exchangesCarried > 1 { recordReuse(by: exchange) }
        idleSince = now
        let isReusable =
            parser.isReusable && !isSending && !isClosed && !exchange.outgoing.traits.asksToClose && !mayHaveLeftBody
            && permission.leavesWholeRequest && setExpiry() && (slot?.pool.waiterCount ?? 0 == 0 || isQuiet)
        exchange.facts.isBodyCut = isSending || !permission.leavesWholeRequest
        endExchange(isBodySent: !exchange.facts.isBodyCut)
        engine.remove(exchange)
        if isReusable {
            // Before the caller wakes up, so that its next request finds the connection.
            engine.connectionIsFree(self, at: exchange.request.clock.isSystem ? now : .now)
        } else {
            if isSending { closeNow(resetting: true) } else { close() }
            engine.connectionIsGone(self)
        }
        exchange.finish(trailers: trailers?.httpFields ?? HTTPFields())
    }

    /// Whether all of the request is sent, and the peer's system has confirmed it.
    private var isRequestConfirmed: Bool {
        guard sender?.isWhole ?? true, let openSocket else { return false }
        return unconfirmedBytes(openSocket) == 0 && !hasUnwrittenBytes
    }

    /// Whether the channel has bytes that the system has not taken.
    private var hasUnwrittenBytes: Bool { unwrittenBytes > 0 }
    private var unwrittenBytes: Int { (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    /// Notes when the peer will close the connection; false if that may be at once.
    ///
    /// The last second is left out: a request could meet the end on the way.
    private func setExpiry() -> Bool {
        guard let seconds = parser.idleSeconds else { return true }
        if seconds <= 1 { return false }
        expiry = .now + .seconds(seconds - 1)
        return true
    }

    /// The peer closed: either the end of the response, or too early.
    private func finish(_ exchange: NIOExchange) {
        do throws(HTTP1ProtocolError) {
            guard let event = try parser.finish() else { return }
            switch consume event {
            case .end(let trailers):
                // Neither a reset nor an end without TLS's own counts as the end: anyone could have cut such a body.
                if lastError != nil { throw .truncatedBody }
                complete(exchange, trailers, exchange.request.clock.moment)
            default: return
            }
        } catch {
            end(exchange, for: error)
        }
    }

    private func end(_ exchange: NIOExchange, for error: HTTP1ProtocolError) {
        let (proxy, fate) = (exchange.passingProxy, exchange.fate)
        let isUnanswered = error == .closedBeforeResponse && exchangesCarried == 1 && lastError == nil
        let error = isUnanswered && proxy == nil && slot?.origin.mayExpectTLS == true ? .closedByTLSPort : error
        end(
            exchange,
            with: .refused(slot, of: engine, lastError, hasHead: exchange.hasHead, fate: fate)
                ?? .response(error, by: proxy, fate: fate, cause: lastError)
        )
    }

    /// Closes the connection, and fails the exchange.
    private func end(_ exchange: NIOExchange, with failure: TransportFailure) {
        var failure = failure
        failure.connectionHadServed = exchangesCarried > 1 && !parser.hasBegun && failure.kind == .connectionClosed
        if failure.connectionHadServed, let idleSince {
            recordClose(after: exchange.stateStartedAt - idleSince, exchanges: exchangesCarried - 1)
        }
        let isSending = sender != nil
        endExchange()
        closeNow(resetting: isSending)
        engine.connectionIsGone(self)
        engine.connectionFailed(exchange, failure)
    }

    private func endExchange(isBodySent: Bool = false) {
        exchange = nil
        sender?.stop(isBodySent: isBodySent)
        sender = nil
        permission = .given
        isReadHeld = false
        if threshold?.isRaised == true, let openSocket { setReceiveThreshold(openSocket, to: 1) }
        threshold = nil
    }

    private func failAttempt() {
        let failing = attempt
        attempt = nil
        failing?.connectionFailed(self, lastError)
        close()
    }
}
