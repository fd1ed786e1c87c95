// SPDX-License-Identifier: Apache-2.0

/// The events that a server sends, as they arrive: ``Call/events(reconnect:heartbeat:limit:acceptsJSON:)``.
///
///     for try await event in site["feed"].events() { print(event.type, event.data) }
///     for try await delta in chat.events(as: Delta.self, until: "[DONE]") { print(delta.text) }
///
/// The values of a list that is followed are read in the same way:
/// ``Call/follow(as:query:from:heartbeat:limit:cursor:restart:)``.
///
/// While no code reads the stream, the server has to wait.
///
/// A stream has one reader at a time. Leaving a loop doesn't end the exchange if you keep the stream: the next loop
/// continues where that one stopped, and no event is lost. The exchange ends when the last copy of the stream and its
/// iterators is released, the loop's task is cancelled, or an error is thrown.
public struct EventStream<Element: Sendable>: Sendable, AsyncSequence {
    let source: EventSource
    var types: Set<String>?
    var sentinel: String?
    private var skips = false
    private let make: @Sendable (inout ReceivedEvent) throws -> Element?

    init(_ source: EventSource, _ make: @escaping @Sendable (inout ReceivedEvent) throws -> Element?) {
        self.source = source
        self.make = make
    }

    /// Creates a reader of the events.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// Calls a function with each state of the connection, in order, until it is closed.
    ///
    /// The function is called on the task that reads the events, and must return quickly.
    ///
    /// - Parameter report: Receives each state.
    /// - Returns: The same stream.
    public func onStateChange(_ report: @escaping @Sendable (EventStreamState) -> Void) -> EventStream {
        source.onStateChange(report)
        return self
    }

    /// Reads the events.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: EventStream

        /// Returns the next event or its value; `nil` after the last, and after an error.
        ///
        /// - Throws: ``CumulusError``: any error of a call; ``CumulusError/Code/service`` for an event of the type
        ///   `error` that an ``ErrorDecoder`` recognizes; ``CumulusError/Code/decoding``, whose cause is an
        ///   ``EventProblem``, for an event that is too long or can't be decoded; ``CumulusError/Code/truncatedBody``
        ///   for a response that ends before the event that `until:` specifies. `CancellationError` when the task is
        ///   cancelled.
        public mutating func next() async throws -> Element? { try await stream.next() }
    }

    private func next() async throws -> Element? {
        while var received = try await source.next(isMarked: sentinel != nil) {
            if let sentinel, received.isMark(sentinel) {
                await source.finish()
                return nil
            }
            do {
                if received.mayBeError, let failure = received.serviceFailure { throw failure }
                if let types, let type = received.type, !types.contains(type) { continue }
                guard let element = try make(&received) else { continue }
                if let cursor = received.cursor { source.setCursor(cursor) }
                return element
            } catch let error as CumulusError where skips && error.code == .decoding {
                continue
            } catch {
                try await source.restart(after: error)
            }
        }
        return nil
    }
}

extension EventStream where Element: Decodable {
    /// The values together with their events, which contain types and IDs.
    ///
    /// For a list that is followed, the ID is the cursor after the value.
    public var withMetadata: EventStream<(value: Element, event: ServerSentEvent)> {
        var stream = EventStream<(value: Element, event: ServerSentEvent)>(source) { [make] received in
            try make(&received).map { ($0, received.event) }
        }
        (stream.types, stream.sentinel, stream.skips) = (types, sentinel, skips)
        return stream
    }

    /// The same values without the events that can't be decoded, which would otherwise end the stream with an error.
    public var skippingInvalid: EventStream {
        var stream = self
        stream.skips = true
        return stream
    }
}
