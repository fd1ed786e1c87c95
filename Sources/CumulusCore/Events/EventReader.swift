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
                    return ReceivedEvent(event: event, number: parser.count, line: parser.line, stream: stream)
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

/// An event with its position in a response.
struct ReceivedEvent: Sendable {
    let event: ServerSentEvent
    /// The number of the event in its response, from 1.
    let number: Int
    /// The number of the line that ended it.
    let line: Int
    let stream: ResponseStream

    /// The error that the service's error decoders find in the data; `nil` if they find none.
    var serviceFailure: CumulusError? {
        let isObject = event.data.utf8.first { $0 > 0x20 } == UInt8(ascii: "{")
        let body = CollectedBody(bytes: ByteChunk(event.data), isComplete: true)
        let failure = stream.response(with: body, type: isObject ? .json : .text).failure
        return failure?.code == .service ? failure : nil
    }

    /// Decodes the data; `nil` for an event without data, such as the one that only announces an ID.
    func decode<Value: Decodable>(as type: Value.Type) throws -> Value? {
        guard !event.data.isEmpty else { return nil }
        let bytes = ByteChunk(event.data)
        do {
            return try stream.coders.jsonLines.decode(type, from: bytes, of: nil)
        } catch {
            // Some services send their errors as events without a type.
            if let failure = serviceFailure { throw failure }
            let problem = DecodingProblem(error, type: type, bytes: bytes, mediaType: .eventStream)
            let located = EventProblem(event: number, line: line, cause: problem)
            throw Stage.describe(located, .decoding, .decoding, request: stream.request)
        }
    }
}

extension MediaType {
    /// `text/event-stream`.
    static let eventStream = MediaType("text", "event-stream")
}
