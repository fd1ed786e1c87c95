// SPDX-License-Identifier: Apache-2.0

/// An event with its position in a response, or a value of a list that is followed.
struct ReceivedEvent: Sendable {
    private enum Content: Sendable {
        case event(ServerSentEvent, number: Int, line: Int)
        case value(ElementSplitter.Element, ElementSplitter.Form)
    }

    private let content: Content
    private let response: EventResponse
    private var isDocument = false
    /// The cursor with which a list continues after the value, once it was decoded.
    var cursor: ListCursor?

    /// An event; `number` is its number in its response, `line` that of the line that ended it, both from 1.
    init(event: ServerSentEvent, number: Int, line: Int, _ response: EventResponse) {
        content = .event(event, number: number, line: line)
        self.response = response
    }

    /// A JSON document in place of the events: an event whose data is the document.
    init(document: ElementSplitter.Element, _ response: EventResponse) {
        let event = ServerSentEvent(data: String(decoding: document.bytes, as: UTF8.self))
        self.init(event: event, number: document.number ?? 1, line: document.line, response)
        isDocument = true
    }

    /// A value of a list.
    init(value: ElementSplitter.Element, of form: ElementSplitter.Form, _ response: EventResponse) {
        content = .value(value, form)
        self.response = response
    }

    private var stream: ResponseStream { response.stream }

    /// The event; for a value, one with its text and cursor.
    var event: ServerSentEvent {
        switch content {
        case .event(let event, _, _): event
        case .value(let value, _): ServerSentEvent(data: String(decoding: value.bytes, as: UTF8.self), id: cursor?.text)
        }
    }

    /// The type of the event; `nil` for a value.
    var type: String? { if case .event(let event, _, _) = content { event.type } else { nil } }

    /// Whether the event's data is equal to a text.
    func isMark(_ text: String) -> Bool {
        if case .event(let event, _, _) = content { event.data == text } else { false }
    }

    /// Whether the data is examined for an error of the service before it is decoded.
    var mayBeError: Bool { isDocument || type == "error" }

    /// The error that the service's error decoders find in the data; `nil` if they find none.
    var serviceFailure: CumulusError? {
        let bytes =
            switch content {
            case .event(let event, _, _): ByteChunk(event.data)
            case .value(let value, _): ByteChunk(value.bytes)
            }
        let isObject = bytes.withUnsafeBytes { $0.first { $0 > 0x20 } } == UInt8(ascii: "{")
        let body = CollectedBody(bytes: bytes, isComplete: true)
        return stream.serviceFailure(in: body, type: isObject ? .json : .text)
    }

    /// Decodes the data; `nil` for an event without data, such as the one that only announces an ID.
    func decode<Value: Decodable>(as type: Value.Type) throws -> Value? {
        do {
            switch content {
            case .value(let value, let form): return try value.decode(as: type, of: form, using: stream.coders.json)
            case .event(let event, let number, let line):
                guard !event.data.isEmpty else { return nil }
                return try decode(event, number, line)
            }
        } catch {
            // Some services send their errors as events without a type.
            if let failure = serviceFailure { throw failure }
            throw Stage.describe(error, .decoding, .decoding, request: stream.request)
        }
    }

    private func decode<Value: Decodable>(_ event: ServerSentEvent, _ number: Int, _ line: Int) throws -> Value {
        let bytes = ByteChunk(event.data)
        do {
            return try stream.coders.jsonLines.decode(Value.self, from: bytes, of: nil)
        } catch {
            let problem = DecodingProblem(error, type: Value.self, bytes: bytes, mediaType: .eventStream)
            throw EventProblem(event: number, line: line, cause: problem)
        }
    }
}
