// SPDX-License-Identifier: Apache-2.0

/// An event of a `text/event-stream` body (WHATWG HTML, section "Server-sent events").
public struct ServerSentEvent: Sendable, Hashable {
    /// The values of the event's `data` fields, joined by line feeds.
    public let data: String
    /// The value of the event's `event` field; `message` if that is missing.
    public let type: String
    /// The last event ID: the value of this event's `id` field, or of the most recent event that has one.
    ///
    /// `nil` if no event had an ID, or if an empty ID has reset it.
    public let id: String?
    /// The value of the event's `retry` field, as the server sent it: the time to wait before reconnecting.
    ///
    /// `nil` if the field is missing or invalid.
    public let retry: Duration?

    /// Creates an event, for tests of your own code.
    public init(data: String, type: String = "message", id: String? = nil, retry: Duration? = nil) {
        self.data = data
        self.type = type
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent: Redacted {
    /// The type, and the number of bytes of the data, which may be secret.
    public var description: String { "\(type): \(data.utf8.count) bytes" }
}

/// An event that is too long, or whose data could not be decoded: the `cause` of a ``CumulusError``.
///
/// For data that could not be decoded, ``cause`` is a ``DecodingProblem``, whose ``DecodingProblem/excerpt`` contains
/// the beginning of the data.
public struct EventProblem: Error, Sendable, CustomStringConvertible {
    /// The event's number in its response, counted from 1.
    public let event: Int
    /// The number of the line in the response at which the problem was found, counted from 1.
    public let line: Int
    /// The underlying error.
    public let cause: any Error

    /// The event, the line and the cause.
    public var description: String { "event \(event) (line \(line)): \(cause)" }
}
