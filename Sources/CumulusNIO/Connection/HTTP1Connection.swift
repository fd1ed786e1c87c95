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

/// Drives one HTTP/1.1 connection: the only one of our objects in its channel, it owns the parser and the exchange
/// that has the connection to itself.
final class HTTP1Connection: ChannelDuplexHandler, RemovableChannelHandler, BodyOutlet {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let engine: LoopEngine
    private var context: ChannelHandlerContext?
    private var parser = HTTP1ResponseParser()
    private var exchange: NIOExchange?
    private var sender: (any BodySender)?
    private var permission = BodyPermission.given
    private var exchangesCarried = 0
    private var isReadHeld = false
    /// What the channel had not got rid of when it was last looked at, while a body was sent.
    private(set) var unsentBytes = 0
    private var isClosed = false
    private var lastError: (any Error)?
    /// Where callers may write while the connection is idle.
    private var callerSocket: CallerSocket?

    /// Who opens the connection, as long as it is not part of the pool.
    var attempt: ConnectionAttempt?
    /// The origin that the connection leads to, once it is part of the pool.
    var slot: OriginSlot?
    /// What is told of the connection in its exchanges' facts.
    var facts = ConnectionFacts("HTTP/1.1")
    /// Whether TLS is spoken with the origin.
    let isSecure: Bool
    /// Whether TLS is spoken with anybody: with the origin, or with the proxy that passes requests on to it.
    let isEncrypted: Bool
    /// What speaks TLS with the origin, until its certificate is checked: a weak reference would make all others slower.
    var security: NIOSSLClientHandler?
    /// What the TLS handshake agreed on (ALPN); `nil` without an agreement.
    private(set) var negotiatedProtocol: String?
    /// Whether requests can be sent: the TLS handshake, if any, is done, and the peer is who it should be.
    var isReady: Bool
    /// Whether the channel was given something since it was last known to have written all.
    private var hasWritten = false

    init(engine: LoopEngine, attempt: ConnectionAttempt, isSecure: Bool, isEncrypted: Bool) {
        self.engine = engine
        self.attempt = attempt
        self.isSecure = isSecure
        self.isEncrypted = isEncrypted
        isReady = !isSecure
    }

    // MARK: What the engine asks for

    /// Starts an exchange on a connection that has none; its caller may have written so many bytes of it already.
    func begin(_ exchange: NIOExchange, written: Int = 0) {
        self.exchange = exchange
        if exchangesCarried > 0, case .created = exchange.state {
            // An idle connection at once: no time has passed.
            exchange.state = .active(self)
        } else {
            exchange.enter(.active(self))
        }
        facts.begin(&exchange.facts, isReused: exchangesCarried > 0, over: context?.channel)
        exchangesCarried += 1
        parser.expect(exchange.outgoing.kind)
        if written > 0 {
            exchange.sent = .something
            exchange.facts.bytesSent += Int64(written)
        }
        if written < exchange.outgoing.start.readableBytes {
            var rest = exchange.outgoing.start
            rest.moveReaderIndex(forwardBy: written)
            send(.byteBuffer(rest), flush: true)
            // A write that fails closes the connection at once, and the exchange may be elsewhere by now.
            guard self.exchange === exchange else { return }
        }
        if let wait = exchange.outgoing.continueWait {
            permission = .awaited(until: exchange.request.clock.moment + wait)
        } else {
            permission = .given
            beginSending(exchange)
        }
    }

    /// Lets callers write, if that is possible; `isNew` where the socket is on no shelf yet.
    func offer() -> (socket: CallerSocket, isNew: Bool)? {
        // Whoever has sent one request here may send more: others don't pay for the descriptor.
        guard !isEncrypted, exchangesCarried > 0, !isClosed, let context else { return nil }
        // What waits in the channel goes first: an early answer may leave the end of a body there.
        if hasWritten {
            guard (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 else { return nil }
            hasWritten = false
        }
        let socket = callerSocket ?? CallerSocket(context.channel)
        callerSocket = socket
        return socket.map { ($0, $0.offer()) }
    }

    /// Lets nobody write any more; the one who has, if somebody has.
    func withdraw() -> CallerSocket.Claim? { callerSocket?.withdraw() }

    /// Takes over the exchange whose caller has written, if there is one; the offer stands otherwise.
    func adoptClaimed() { adopt(callerSocket?.takeClaim()) }

    /// The same, and takes the offer back.
    func withdrawOffer(isOffShelf: Bool = false) { adopt(callerSocket?.withdraw(isOffShelf: isOffShelf)) }

    /// Closed connections must not pile up where callers look for open ones.
    private func closeCallerSocket() {
        guard let callerSocket, callerSocket.close(), let slot else { return }
        engine.shelf.remove(callerSocket, for: slot.origin)
    }

    private func adopt(_ claim: CallerSocket.Claim?) {
        guard let claim, let slot, slot.pool.take(self) else { return }
        engine.adopt(claim, self)
    }

    /// Sends the body all the same if the server has said nothing about it for long enough.
    func observeContinue(at now: Moment) {
        guard let exchange, case .awaited(let limit) = permission, now >= limit else { return }
        permission = .given
        beginSending(exchange)
    }

    private func beginSending(_ exchange: NIOExchange) {
        sender = makeSender(for: exchange)
        guard let sender else { return exchange.requestSentAt = exchange.stateStartedAt }
        sender.pump()
    }

    /// Whether nothing came that nobody asked for, as far as that can be seen (T-32).
    ///
    /// Under TLS the bytes are records: that they hold no more than a farewell can't be told without reading them.
    var isQuiet: Bool {
        if let callerSocket { return callerSocket.isQuiet }
        guard let channel = context?.channel, channel.isActive else { return false }
        return socket.map(hasNothingToRead) ?? true
    }

    private lazy var socket = context?.channel.socket

    /// Drops the exchange with its connection; the exchange itself is not told.
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

    /// Leaves the channel to another protocol, before any exchange.
    func handOver(to connection: HTTP2Connection) throws {
        guard let context else { throw ChannelError.alreadyClosed }
        let pipeline = context.pipeline.syncOperations
        try pipeline.addHandlers(connection.makeCodec() + [connection], position: .before(self))
        pipeline.removeHandler(self, promise: nil)
    }

    /// Closes the channel without TLS's farewell, for which the peer may take its time; a request that is not whole
    /// is cut off by a reset, because the end of the connection would wait behind bytes that nobody may ever read.
    private func closeNow(resetting: Bool) {
        isClosed = true
        closeCallerSocket()
        guard let context else { return }
        if resetting, let options = context.channel as? any SocketOptionProvider {
            // Only a wish: without it the system lets go later.
            _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        let pipeline = context.pipeline.syncOperations
        let outermost = isEncrypted ? try? pipeline.context(handlerType: NIOSSLClientHandler.self) : nil
        (outermost ?? context).close(promise: nil)
    }

    /// Goes on after a pause that the consumer was the reason for.
    func resumeReading() {
        guard isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    /// Whether it is the peer's turn; false while our own caller is the one who is slow.
    var isWaitingForPeer: Bool {
        if isReadHeld { return false }
        return sender?.isWaitingForSource != true
    }

    /// Notes whether the peer took some of what waits to be written; a large piece counts before it is through.
    func observeSending() {
        guard let sender, let options = context?.channel.syncOptions,
            let waiting = try? options.getOption(.bufferedWritableBytes)
        else { return }
        if waiting < unsentBytes { noteProgress() }
        let isStuck = waiting > 0 && waiting == unsentBytes
        unsentBytes = waiting
        if isStuck { sender.checkSource() }
    }

    /// Whether a request body is still being sent.
    var isSending: Bool { sender != nil }

    /// The peer's certificate, as far as the handshake got.
    var peerCertificate: NIOSSLCertificate? { security?.peerCertificate }

    // MARK: What the body's sender asks for

    /// Whether the peer keeps up.
    var isWritable: Bool { context?.channel.isWritable ?? false }
    /// Plain connections take them by `sendfile`.
    var takesFileRegions: Bool { !isEncrypted }

    func send(_ data: IOData, flush: Bool, keeping owner: AnyObject?) {
        guard let context, let exchange else { return }
        exchange.sent = .something
        exchange.facts.bytesSent += Int64(data.readableBytes)
        var written: EventLoopPromise<Void>?
        if let owner {
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenComplete { _ in withExtendedLifetime(owner) {} }
            written = promise
        }
        hasWritten = true
        context.write(NIOAny(data), promise: written)
        if flush { context.flush() }
    }

    /// Notes that the peer took something.
    func noteProgress() {
        guard let exchange else { return }
        exchange.lastActivity = exchange.request.clock.moment
    }

    /// The body is on its way as a whole.
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

    // MARK: What the channel tells

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
            // T-32: whatever this is, the next request must not take it for its response.
            return discard()
        }
        let now = exchange.request.clock.moment
        exchange.noteReceived(at: now)
        exchange.facts.bytesReceived += Int64(bytes.readableBytes)
        if !parser.hasBegun { exchange.facts.phases.firstByte = now - exchange.startedAt }
        parser.receive(bytes)
        drain(exchange, now)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        exchange?.deliverHead()
    }

    func read(context: ChannelHandlerContext) {
        if let exchange, !exchange.mayRead() {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, let sender else { return }
        noteProgress()
        sender.pump()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let agreed)? = event as? TLSUserEvent {
            negotiatedProtocol = agreed
            attempt?.handshakeCompleted(self)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if lastError == nil { lastError = error }
        if attempt != nil { return failAttempt() }
        if exchange == nil { withdrawOffer() }
        // NIOSSL closes by itself after this one.
        if case NIOSSLError.uncleanShutdown = error { return }
        if exchange == nil { discard() } else { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        if exchange == nil { withdrawOffer() }
        closeCallerSocket()
        if let exchange {
            finish(exchange)
        } else if attempt != nil {
            failAttempt()
        } else {
            engine.idleConnectionIsGone(self)
        }
    }

    /// Closes a connection that nobody uses, and sees to it that nobody gets it while it closes.
    private func discard() {
        close()
        engine.idleConnectionIsGone(self)
    }

    // MARK: Response

    private func drain(_ exchange: NIOExchange, _ now: Moment) {
        do throws(HTTP1ProtocolError) {
            while let event = try parser.next() {
                switch event {
                case .informational(let head):
                    exchange.note(head.droppedFields)
                    exchange.request.onInformational?(head.httpResponse)
                    if head.status == 100, case .awaited = permission {
                        permission = .given
                        beginSending(exchange)
                    }
                case .head(let head, let length):
                    // The server knows its answer without the body.
                    if case .awaited = permission { permission = .withheld }
                    exchange.note(head.droppedFields)
                    exchange.receive(ResponseHead(head), length: length, at: now)
                case .content(let bytes): exchange.receive(bytes)
                case .end(let trailers): return complete(exchange, trailers, now)
                }
            }
        } catch {
            end(exchange, with: .response(error, by: exchange.passingProxy, sent: exchange.sent, cause: lastError))
        }
    }

    private func complete(_ exchange: NIOExchange, _ trailers: HTTP1FieldSection?, _ now: Moment) {
        exchange.facts.phases.lastByte = now - exchange.startedAt
        // A request body that nobody waits for any more leaves the connection in the middle of a message.
        let isSending = sender.map { !($0.isWhole && isWritable) } ?? false
        let isReusable =
            parser.isReusable && !isSending && !isClosed && !exchange.outgoing.traits.asksToClose
            && permission.leavesWholeRequest && (slot?.pool.waiterCount ?? 0 == 0 || isQuiet)
        endExchange()
        engine.remove(exchange)
        if isReusable {
            // Before the caller wakes up, so that the next request finds it.
            engine.connectionIsFree(self)
        } else {
            if isSending { closeNow(resetting: true) } else { close() }
            engine.connectionIsGone(self)
        }
        exchange.finish(trailers: trailers?.httpFields ?? [:])
    }

    /// The peer closed: the end of the response, or too early.
    private func finish(_ exchange: NIOExchange) {
        do throws(HTTP1ProtocolError) {
            guard case .end(let trailers)? = try parser.finish() else { return }
            // A reset is no end, nor is one without TLS's own: such a body may have been cut by anyone.
            if lastError != nil { throw .truncatedBody }
            complete(exchange, trailers, exchange.request.clock.moment)
        } catch {
            end(exchange, with: .response(error, by: exchange.passingProxy, sent: exchange.sent, cause: lastError))
        }
    }

    /// Closes the connection and gives the exchange its error, or another connection.
    private func end(_ exchange: NIOExchange, with failure: TransportFailure) {
        let wasStale = exchangesCarried > 1 && !parser.hasBegun && failure.kind == .connectionClosed
        let isSending = sender != nil
        endExchange()
        closeNow(resetting: isSending)
        engine.connectionIsGone(self)
        engine.connectionFailed(exchange, failure, wasStale: wasStale)
    }

    private func endExchange() {
        exchange = nil
        sender?.stop()
        sender = nil
        permission = .given
        isReadHeld = false
    }

    private func failAttempt() {
        let failing = attempt
        attempt = nil
        failing?.connectionFailed(self, lastError)
        close()
    }
}
