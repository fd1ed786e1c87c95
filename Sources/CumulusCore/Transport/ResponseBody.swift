// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
import Synchronization

/// An element from a transport's body source.
public enum ResponseBodyElement: Sendable {
    /// The next bytes of the body, never empty.
    case bytes(ByteChunk)
    /// The end of the body, as its framing indicates; nothing follows.
    case end(ExchangeEnd)
}

/// The trailers of an exchange and the transport's observations of it, which are known when it ends.
public struct ExchangeEnd: Sendable {
    private struct Parts: Sendable {
        var trailers: HTTPFields
        var facts: ExchangeFacts
    }

    private var parts: Shared<Parts>

    /// The trailer fields.
    public var trailers: HTTPFields {
        get { parts.value.trailers }
        set { parts.value.trailers = newValue }
    }
    /// The transport's observations: phases, addresses, bytes.
    public var facts: ExchangeFacts {
        get { parts.value.facts }
        set { parts.value.facts = newValue }
    }

    /// Creates an end from trailers and observations.
    public init(trailers: HTTPFields = [:], facts: ExchangeFacts = ExchangeFacts()) {
        parts = Shared(Parts(trailers: trailers, facts: facts))
    }
}

/// A transport's side of a body: it returns one element at a time.
public protocol ResponseBodySource: AnyObject, Sendable {
    /// Waits for the next element.
    ///
    /// It is not called again after `end` or an error, and never by two callers at once.
    ///
    /// - Throws: ``TransportFailure``, or `CancellationError` when the task is cancelled.
    func next() async throws -> ResponseBodyElement

    /// Ends the exchange; the connection is closed unless the whole body has been received.
    ///
    /// It is also called after `next()` has thrown, and perhaps more than once.
    func cancel()
}

/// A response's body, read by one consumer: while no code reads it, the peer has to wait.
///
/// Dropping the last reference before the end cancels the exchange.
public final class ResponseBody: Sendable {
    private enum State {
        case complete(ByteChunk, ExchangeEnd)
        case streaming(any ResponseBodySource)
        case reading(any ResponseBodySource)
        case ended(ExchangeEnd)
        case failed(any Error)
    }

    private let state: Mutex<State>
    /// The length that the head announced, in bytes; `nil` if only the end determines it.
    public let expectedLength: Int64?
    /// The number of its exchange in the call's record, from 1; 0 if no exchange has returned it.
    private let exchangeNumber: Atomic<UInt32>
    /// How many bytes were received of a body that is decoded; `nil` for others.
    let wire: WireCount?

    /// Creates a body that a transport delivers piece by piece.
    public convenience init(expectedLength: Int64? = nil, source: any ResponseBodySource) {
        self.init(expectedLength: expectedLength, source: source, wire: nil, exchange: 0)
    }

    private init(expectedLength: Int64?, source: any ResponseBodySource, wire: WireCount?, exchange: UInt32) {
        self.expectedLength = expectedLength
        self.wire = wire
        exchangeNumber = Atomic(exchange)
        self.state = Mutex(.streaming(source))
    }

    /// Creates a body that is already complete, as small bodies often are.
    public init(complete bytes: ByteChunk, end: ExchangeEnd = ExchangeEnd()) {
        self.expectedLength = Int64(bytes.count)
        self.wire = nil
        exchangeNumber = Atomic(0)
        self.state = Mutex(bytes.isEmpty ? .ended(end) : .complete(bytes, end))
    }

    deinit { cancel() }

    /// Returns the next bytes, or `nil` after the last.
    ///
    /// - Throws: ``TransportFailure`` if the body is interrupted or a deadline passes, `CancellationError` when the
    ///   task is cancelled. A later call throws the same error again.
    public func next() async throws -> ByteChunk? {
        switch try begin() {
        case .bytes(let chunk): return chunk
        case .end: return nil
        case .read(let source):
            do {
                switch try await source.next() {
                case .bytes(let chunk):
                    finish(.streaming(source))
                    return chunk
                case .end(let end):
                    finish(.ended(end))
                    return nil
                }
            } catch {
                finish(.failed(error))
                source.cancel()
                throw error
            }
        }
    }

    /// The whole body, if it has arrived and nothing has been read.
    func takeWhole() -> ByteChunk? {
        state.withLock { state in
            guard case .complete(let bytes, let end) = state else { return nil }
            state = .ended(end)
            return bytes
        }
    }

    /// The whole body and its end, if it has arrived and nothing has been read; it stays unread.
    var whole: (bytes: ByteChunk, end: ExchangeEnd)? {
        state.withLock { state -> (bytes: ByteChunk, end: ExchangeEnd)? in
            guard case .complete(let bytes, let end) = state else { return nil }
            return (bytes, end)
        }
    }

    /// Whether the body has arrived as a whole, or has failed: ``next()`` then returns without waiting.
    public var hasArrived: Bool {
        state.withLock { state in
            switch state {
            case .complete, .ended, .failed: true
            case .streaming, .reading: false
            }
        }
    }

    /// Ends the exchange if it is still running; unread bytes are lost.
    public func cancel() {
        let source: (any ResponseBodySource)? = state.withLock { state in
            switch state {
            case .streaming(let source), .reading(let source):
                state = .failed(CancellationError())
                return source
            case .complete:
                state = .failed(CancellationError())
                return nil
            case .ended, .failed: return nil
            }
        }
        source?.cancel()
    }

    /// The trailers and the transport's observations; `nil` until ``next()`` has returned `nil`.
    public var end: ExchangeEnd? {
        state.withLock { if case .ended(let end) = $0 { end } else { nil } }
    }

    /// The number of the exchange that has returned it, in the call's record; `nil` for any other body, such as an
    /// interceptor's own.
    var exchange: Int? {
        let number = exchangeNumber.load(ordering: .relaxed)
        return number == 0 ? nil : Int(number)
    }

    /// The body as that of an exchange: a copy if it has ended and belongs to another exchange, as a stub's may.
    func belonging(to exchange: Int) -> ResponseBody {
        let number = UInt32(truncatingIfNeeded: exchange)
        if exchangeNumber.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged { return self }
        if let end { return ResponseBody(complete: .empty, end: end).belonging(to: exchange) }
        exchangeNumber.store(number, ordering: .relaxed)
        return self
    }

    /// Removes the number: a store returns the body, which may be from an exchange of another call.
    func leaveExchange() { exchangeNumber.store(0, ordering: .relaxed) }

    /// The body of the same exchange and length, with a source around this one.
    func wrapped(by source: any ResponseBodySource) -> ResponseBody {
        let number = exchangeNumber.load(ordering: .relaxed)
        return ResponseBody(expectedLength: expectedLength, source: source, wire: wire, exchange: number)
    }

    /// The body of the same exchange, with a source that decodes this one: the decoded length is unknown.
    func decoded(by source: any ResponseBodySource, counting wire: WireCount) -> ResponseBody {
        let number = exchangeNumber.load(ordering: .relaxed)
        return ResponseBody(expectedLength: nil, source: source, wire: wire, exchange: number)
    }

    private enum Step {
        case bytes(ByteChunk)
        case end
        case read(any ResponseBodySource)
    }

    private func begin() throws -> Step {
        try state.withLock { state in
            switch state {
            case .complete(let bytes, let end):
                state = .ended(end)
                return .bytes(bytes)
            case .streaming(let source):
                state = .reading(source)
                return .read(source)
            case .reading:
                throw TransportFailure(.invalidUse, "the body is being read by another consumer")
            case .ended: return .end
            case .failed(let error): throw error
            }
        }
    }

    // A cancellation that happened while reading remains in effect.
    private func finish(_ next: State) {
        state.withLock { state in
            if case .reading = state { state = next }
        }
    }
}
