// SPDX-License-Identifier: Apache-2.0

/// A response whose events are read, or the values of a list.
///
/// A reference, since each event has one.
final class EventResponse: Sendable {
    let stream: ResponseStream
    /// Limits the time without a byte.
    let watch: SilenceWatch?

    init(_ stream: ResponseStream, _ watch: SilenceWatch?) { (self.stream, self.watch) = (stream, watch) }

    /// Reads the next event whose bytes have arrived.
    ///
    /// The bytes behind it stay with the stream, so that another reader continues after this event. At most one event
    /// and one piece of the body are held.
    ///
    /// - Parameter limit: The maximum length in bytes of a line, and of an event.
    /// - Returns: The event; `nil` if more bytes are needed.
    /// - Throws: ``CumulusError`` for an event that is too long, and while another reader runs.
    func arrived(limit: Int) throws -> ReceivedEvent? {
        let outcome = try stream.ahead.readNow(of: stream.request) { unread in
            unread.nextEvent(limit: limit)
        }
        guard let outcome else { return nil }
        if let problem = stream.contentCodingProblem { return try stream.checked { throw problem } }
        let found = try stream.checked { try outcome.get() }
        return ReceivedEvent(event: found.event, number: found.number, line: found.line, self)
    }

    /// Waits for the next piece of the body.
    ///
    /// - Parameters:
    ///   - limit: The maximum length in bytes of a line, and of an event.
    ///   - lastEventID: The ID from which the response continues, before its first event.
    /// - Returns: Whether there is one.
    /// - Throws: ``CumulusError`` if the body is interrupted, or silent for too long; `CancellationError`.
    func fill(limit: Int, after lastEventID: String) async throws -> Bool {
        if let problem = stream.contentCodingProblem { return try stream.checked { throw problem } }
        return try await stream.ahead.read(of: stream.request) { unread in
            if unread.events == nil {
                unread.events = EventParser(limit: limit, after: lastEventID)
                // Another reader of the stream may have left bytes.
                if unread.place < unread.chunk.count { return true }
            }
            let more = try await stream.pull(watch)
            (unread.chunk, unread.place) = (more?.bytes ?? [], 0)
            return more != nil
        }
    }
}

extension ReadAhead.Unread {
    /// An event with its number and the number of the line that ended it.
    typealias Event = (event: ServerSentEvent, number: Int, line: Int)

    /// The next event in the unread bytes, or the reason why it is refused; `nil` if they end before it does.
    fileprivate mutating func nextEvent(limit: Int) -> Result<Event, EventProblem>? {
        guard place < chunk.count, events != nil else { return nil }
        events?.limit = limit
        let found = chunk.withUnsafeBytes { bytes in
            Result<ServerSentEvent?, EventProblem> { () throws(EventProblem) in
                try events?.next(in: bytes, from: &place)
            }
        }
        switch found {
        case .failure(let problem): return .failure(problem)
        case .success(nil): return nil
        case .success(let event?):
            line = events?.line ?? line
            return .success((event, events?.count ?? 0, line))
        }
    }
}

extension MediaType {
    /// `text/event-stream`.
    public static let eventStream = MediaType("text", "event-stream")
}
