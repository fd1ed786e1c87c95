// SPDX-License-Identifier: Apache-2.0

/// Reads the events of a stream's body.
///
/// It holds at most one event and one piece of the body.
struct EventReader {
    private let stream: ResponseStream
    private let limit: Int
    private let lastEventID: String
    private let watch: SilenceWatch?

    init(_ stream: ResponseStream, limit: Int, after lastEventID: String, _ watch: SilenceWatch?) {
        self.stream = stream
        self.limit = limit
        self.lastEventID = lastEventID
        self.watch = watch
    }

    /// Returns the next event; `nil` after the last.
    ///
    /// Bytes that were read ahead stay with the stream, so that another reader continues after this event.
    func next() async throws -> ReceivedEvent? {
        if let problem = stream.contentCodingProblem { return try stream.checked { throw problem } }
        return try await stream.ahead.read(of: stream.request) { unread in
            var parser = unread.events ?? EventParser(limit: limit, after: lastEventID)
            unread.events = nil
            parser.limit = limit
            defer { unread.events = parser }
            while true {
                let event = try stream.checked {
                    try unread.chunk.withUnsafeBytes { try parser.next(in: $0, from: &unread.place) }
                }
                if let event {
                    unread.line = parser.line
                    return ReceivedEvent(event: event, number: parser.count, line: parser.line, stream)
                }
                guard let more = try await stream.pull(watch) else {
                    (unread.chunk, unread.place) = ([], 0)
                    return nil
                }
                (unread.chunk, unread.place) = (more.bytes, 0)
            }
        }
    }
}

extension MediaType {
    /// `text/event-stream`.
    static let eventStream = MediaType("text", "event-stream")
}
