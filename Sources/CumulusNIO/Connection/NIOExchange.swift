// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes
import NIOCore
import Synchronization

/// One request on its way through the pool and a connection and back: what the caller waits on, and the loop drives.
///
/// Everything but `inbox` belongs to the event loop. The exchange is also the source of the response's body.
// Unchecked: all mutable state is touched on `engine.eventLoop` only, except for `inbox`, which has its own lock, and
// for `continuation`, which the caller sets before it hands the exchange over, by `execute` or under a socket's lock.
final class NIOExchange: @unchecked Sendable {
    typealias HeadContinuation = UnsafeContinuation<TransportResponse, any Error>
    typealias BodyContinuation = UnsafeContinuation<ResponseBodyElement, any Error>

    /// The state of the exchange.
    enum State {
        /// Not yet seen by the loop.
        case created
        /// In the line of its origin, for a connection that other exchanges hold.
        case queued(OriginSlot, number: Int)
        /// In the line, with an attempt to connect running on its behalf.
        case connecting(OriginSlot, number: Int)
        /// Alone on a connection.
        case active(HTTP1Connection)
        /// On a stream of a connection that it shares.
        case streaming(HTTP2Stream)
        /// Over; unread bytes may be in the inbox.
        case finished
    }

    let request: TransportRequest
    let outgoing: OutgoingRequest
    let engine: LoopEngine
    /// Whether the client may identify itself to the server.
    let offersIdentity: Bool
    /// Whether the exchange has to be checked from time to time.
    let hasDeadlines: Bool
    /// Whether the wait for the response has its own limit.
    private let limitsResponse: Bool
    private let inbox = Mutex(BodyInbox<BodyContinuation>(highWaterMark: 256 * 1024))

    // Without checks of exclusive access, as in HTTP1Connection.
    @exclusivity(unchecked) var state = State.created
    /// The index in the engine's list of running exchanges.
    @exclusivity(unchecked) var listIndex = -1
    /// When the exchange, its present state, and its last activity began.
    let startedAt: Moment
    @exclusivity(unchecked) var stateStartedAt: Moment
    @exclusivity(unchecked) var lastActivity: Moment
    /// When the request was complete; its response is awaited from then on.
    @exclusivity(unchecked) var requestSentAt: Moment?
    @exclusivity(unchecked) var rateWatch: RateWatch?
    @exclusivity(unchecked) var facts = ExchangeFacts()
    /// Whether something of the request may have reached a peer.
    @exclusivity(unchecked) var fate = TransportFailure.Fate.unsent
    /// Whether its caller runs on the loop, which needs no socket of its own.
    private(set) var comesFromLoop = false

    /// The proxy that forwards the request, and may respond in the server's place; `nil` for a tunnel, and without a
    /// proxy.
    var passingProxy: Proxy? {
        outgoing.route.form(for: request.origin) == .absolute ? outgoing.route.proxy : nil
    }

    @exclusivity(unchecked) private var continuation: HeadContinuation?
    private let cancelledEarly = Atomic(false)
    @exclusivity(unchecked) private var pendingHead: (head: ResponseHead, length: Int64?)?
    @exclusivity(unchecked) private var pendingContent: ByteBuffer?
    @exclusivity(unchecked) private(set) var hasHead = false

    init(_ request: consuming TransportRequest, outgoing: consuming OutgoingRequest, engine: LoopEngine) {
        self.engine = engine
        offersIdentity = request.offersIdentity && engine.tls.hasIdentity(for: request.origin)
        startedAt = request.clock.moment
        if let proxy = outgoing.route.proxy { facts.proxy = proxy }
        stateStartedAt = startedAt
        lastActivity = startedAt
        let deadlines = request.deadlines
        rateWatch = RateWatch(deadlines.minimumRate)
        limitsResponse = deadlines.response != nil
        hasDeadlines =
            deadlines.idle != nil || deadlines.end != nil || deadlines.connect != nil || deadlines.poolWait != nil
            || limitsResponse || outgoing.continueWait != nil || rateWatch != nil
        // Last, so that neither is copied.
        self.request = request
        self.outgoing = outgoing
    }

    /// Runs the exchange up to the response's head.
    func response() async throws -> TransportResponse {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                if engine.eventLoop.inEventLoop {
                    comesFromLoop = true
                    begin(continuation)
                } else if !writeHere(continuation) {
                    engine.eventLoop.execute { self.begin(continuation) }
                }
            }
        } onCancel: {
            engine.eventLoop.execute { self.cancelBeforeHead() }
        }
    }

    /// Writes the request on this thread, on an idle connection; false if there is none.
    ///
    /// Once it is written, the exchange belongs to the loop.
    private func writeHere(_ continuation: HeadContinuation) -> Bool {
        guard outgoing.isBrief, request.origin.scheme == .http, outgoing.route.isDirect, request.connection == .any
        else {
            return false
        }
        self.continuation = continuation
        while !wasCancelledEarly, let socket = engine.stack.take(for: request.origin) {
            guard case .taken(let isWhole) = socket.write(self) else { continue }
            if !isWhole { engine.eventLoop.execute { self.engine.adoptBegun() } }
            return true
        }
        return false
    }

    /// Whether the exchange was cancelled before the loop had seen it.
    var wasCancelledEarly: Bool { cancelledEarly.load(ordering: .relaxed) }

    private func begin(_ continuation: HeadContinuation) {
        if wasCancelledEarly {
            state = .finished
            return continuation.resume(throwing: CancellationError())
        }
        self.continuation = continuation
        engine.start(self)
    }

    fileprivate func cancelBeforeHead() {
        if case .created = state {
            // The loop ends it when it begins or adopts it.
            cancelledEarly.store(true, ordering: .relaxed)
            engine.adoptBegun()
        } else if !hasHead {
            engine.abandon(self, error: CancellationError())
        }
    }

    /// Moves to another state and records the time, for the deadlines and the facts.
    func enter(_ next: State) {
        let now = request.clock.moment
        if case .queued = state { facts.phases.queue = now - stateStartedAt }
        state = next
        stateStartedAt = now
        lastActivity = now
        requestSentAt = nil
    }

    // MARK: The connection's side

    /// Records bytes from the peer.
    ///
    /// Bytes before the head don't count as activity, or a head in tiny pieces would delay a call forever; but they do if
    /// the wait has its own limit.
    func noteReceived(at now: Moment) {
        if hasHead || limitsResponse && requestSentAt != nil { lastActivity = now }
    }

    /// Records a whole informational head: the server is at work, and the wait goes on if the call's end bounds it.
    func noteInformational(at now: Moment) {
        if request.deadlines.end != nil { lastActivity = now }
    }

    /// Records dropped fields.
    func note(_ droppedFields: [String]?) {
        guard let droppedFields else { return }
        // Enough to diagnose a faulty server.
        let room = max(0, 20 - facts.droppedFields.count)
        for name in droppedFields.prefix(room) { facts.droppedFields.append(PeerText.printable(name)) }
    }

    /// Takes the final head; the caller gets it with the first content, or alone when the read is over.
    func receive(_ head: ResponseHead, length: Int64?, at now: Moment) {
        hasHead = true
        lastActivity = now
        pendingHead = (head, length)
    }

    /// Takes content.
    func receive(_ content: ByteBuffer) {
        if pendingHead != nil, pendingContent == nil {
            pendingContent = content
            return
        }
        if pendingHead != nil, let first = pendingContent, first.readableBytes + content.readableBytes <= 16 * 1024 {
            pendingContent?.writeImmutableBuffer(content)
            return
        }
        deliverHead()
        push(content)
    }

    /// Delivers a head whose body has not ended with it.
    func deliverHead() {
        guard let (head, length) = pendingHead else { return }
        pendingHead = nil
        if let content = pendingContent {
            pendingContent = nil
            push(content)
        }
        let body = ResponseBody(expectedLength: length, source: self)
        resume(returning: TransportResponse(head: head, body: body))
    }

    /// Takes the end; a response that has arrived completely is delivered in one piece.
    func finish(trailers: HTTPFields) {
        state = .finished
        // Moved out, since no one needs them here any more.
        var observed = ExchangeFacts()
        swap(&observed, &facts)
        let end = ExchangeEnd(trailers: trailers, facts: consume observed)
        if let (head, _) = pendingHead {
            pendingHead = nil
            var bytes = ByteChunk.empty
            if let content = pendingContent { bytes = ByteChunk(content) }
            pendingContent = nil
            let body = ResponseBody(complete: bytes, end: end)
            resume(returning: TransportResponse(head: head, body: body))
        } else {
            inbox.withLock { $0.finish(end) }?.resume(returning: .end(end))
        }
    }

    /// Ends the exchange with an error for its waiting caller.
    func fail(_ error: any Error) {
        state = .finished
        deliverHead()
        if let continuation {
            self.continuation = nil
            continuation.resume(throwing: error)
        } else {
            inbox.withLock { $0.fail(error) }?.resume(throwing: error)
        }
    }

    /// Whether there is room for more of the body.
    func mayRead() -> Bool {
        guard hasHead, pendingHead == nil else { return true }
        return inbox.withLock { $0.mayRead() }
    }

    private func push(_ content: ByteBuffer) {
        inbox.withLock { $0.push(content) }?.resume(returning: .bytes(ByteChunk(content)))
    }

    private func resume(returning response: TransportResponse) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: response)
    }
}

extension NIOExchange: CancellableExchange {
    func cancelExchange() {
        engine.eventLoop.execute {
            self.cancelBeforeHead()
            if self.hasHead { self.cancel() }
        }
    }
}

extension NIOExchange: ResponseBodySource {
    func next() async throws -> ResponseBodyElement {
        if Task.isCancelled {
            cancel()
            throw CancellationError()
        }
        if let element = try element(of: inbox.withLock { $0.take() }) { return element }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let taken = inbox.withLock { $0.take(orWait: continuation) }
                do {
                    if let element = try element(of: taken) { continuation.resume(returning: element) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let (waiter, wasOpen) = inbox.withLock { $0.cancel() }
        if wasOpen { engine.eventLoop.execute { self.engine.abandon(self, error: CancellationError()) } }
        waiter?.resume(throwing: CancellationError())
    }

    private func element(of taken: BodyInbox<BodyContinuation>.Taken) throws -> ResponseBodyElement? {
        switch taken {
        case .bytes(let bytes, let resumesReading):
            if resumesReading { engine.eventLoop.execute { self.resumeReading() } }
            return .bytes(ByteChunk(bytes))
        case .end(let end): return .end(end)
        case .failed(let error): throw error
        case .nothing: return nil
        }
    }

    private func resumeReading() {
        switch state {
        case .active(let connection):
            lastActivity = request.clock.moment
            connection.resumeReading()
        case .streaming(let stream):
            lastActivity = request.clock.moment
            stream.resumeReading()
        default:
            return
        }
    }
}
