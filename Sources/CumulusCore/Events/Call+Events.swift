// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Call where Output == Response {
    /// Returns the events of the response, a `text/event-stream` (WHATWG HTML, section "Server-sent events").
    ///
    /// Nothing is sent until they are read. `Accept: text/event-stream` and `Cache-Control: no-store` are sent unless
    /// the call or a setting has these fields. ``Resource/Settings/timeout`` applies only up to the response's head.
    /// After that, only `heartbeat` and ``Resource/Settings/deadline``, which includes all connections, limit the time.
    ///
    /// The first connection is retried as ``Resource/Settings/retry`` specifies. Each further connection is a separate
    /// call with the current settings, fresh credentials and the header field `Last-Event-ID`. The wait before it is
    /// the time that the server requested in a `retry` field (0.1 to 300 seconds), plus a random part of a delay of at
    /// least a second, which doubles until an event arrives. Reconnecting ends with 204, with an error that can't be
    /// temporary, or with a different media type.
    ///
    /// To continue after events that you have stored, set the call's header field `Last-Event-ID`.
    ///
    /// - Parameters:
    ///   - reconnect: Whether a new connection is opened when one has ended.
    ///   - heartbeat: The time for which the server may be silent, not even sending a comment, before the connection is
    ///     ended as if it had failed; `nil` means no limit.
    ///   - limit: The maximum length in bytes of a line, and of an event.
    ///   - acceptsJSON: Whether the server may send a JSON document in place of the stream, as in MCP's Streamable
    ///     HTTP. The document becomes the data of one event. `Accept` lists both types, and a 202 response without a
    ///     document has no events.
    /// - Returns: The events.
    public func events(
        reconnect: Reconnection = .automatic,
        heartbeat: Duration? = nil,
        limit: Int = 1 << 20,
        acceptsJSON: Bool = false
    ) -> EventStream<ServerSentEvent> {
        EventStream(source(reconnect, heartbeat, limit, acceptsJSON)) { $0.event }
    }

    /// Returns the values of the response's events, decoded as JSON by the coder of the setting
    /// ``Resource/Settings/coders``.
    ///
    /// Events without data are skipped. See ``events(reconnect:heartbeat:limit:acceptsJSON:)`` for connections and time
    /// limits.
    ///
    /// - Parameters:
    ///   - type: The type of each event's value.
    ///   - types: The types of the events to decode, such as `["message"]`; `nil` for all. Other events are skipped.
    ///   - sentinel: The data of the event that ends the stream, such as `[DONE]`; it is not decoded. A response that
    ///     ends before this event causes ``CumulusError/Code/truncatedBody``, unless a new connection is opened.
    ///   - reconnect: Whether a new connection is opened when one has ended.
    ///   - heartbeat: The time for which the server may be silent; `nil` means no limit.
    ///   - limit: The maximum length in bytes of a line, and of an event.
    ///   - acceptsJSON: Whether the server may send a JSON document in place of the stream, as in MCP's Streamable
    ///     HTTP. The document becomes the data of one event. `Accept` lists both types, and a 202 response without a
    ///     document has no events.
    /// - Returns: The values. A value that can't be decoded ends the stream with an error, unless you read
    ///   ``EventStream/skippingInvalid``.
    public func events<Value: Decodable & Sendable>(
        as type: Value.Type,
        types: Set<String>? = nil,
        until sentinel: String? = nil,
        reconnect: Reconnection = .automatic,
        heartbeat: Duration? = nil,
        limit: Int = 1 << 20,
        acceptsJSON: Bool = false
    ) -> EventStream<Value> {
        EventStream(source(reconnect, heartbeat, limit, acceptsJSON)).filtered(types, until: sentinel)
    }

    private func source(
        _ reconnection: Reconnection,
        _ heartbeat: Duration?,
        _ limit: Int,
        _ acceptsJSON: Bool
    ) -> EventSource {
        var options = EventConnection.Options(reconnection: reconnection, heartbeat: heartbeat, limit: limit)
        options.acceptsJSON = acceptsJSON
        let report = EventStateReport()
        return EventSource(EventConnection(self, options, report), report)
    }
}

extension ResponseStream {
    /// Returns the events of the body, regardless of its media type.
    ///
    /// - Parameter limit: The maximum length in bytes of a line, and of an event.
    /// - Returns: The events. Each is read once, by any loop. The events end with the body;
    ///   ``Call/events(reconnect:heartbeat:limit:acceptsJSON:)`` reconnects.
    public func events(limit: Int = 1 << 20) -> EventStream<ServerSentEvent> {
        EventStream(source(limit)) { $0.event }
    }

    /// The events of the body, as they arrive, each at most 1 MiB long.
    public var events: EventStream<ServerSentEvent> { events() }

    /// Returns the values of the body's events, decoded as JSON by the coder of the setting
    /// ``Resource/Settings/coders``.
    ///
    /// - Parameters:
    ///   - type: The type of each event's value.
    ///   - types: The types of the events to decode; `nil` for all. Other events are skipped.
    ///   - sentinel: The data of the event that ends the stream, such as `[DONE]`; it is not decoded. A body that ends
    ///     before this event causes ``CumulusError/Code/truncatedBody``.
    ///   - limit: The maximum length in bytes of a line, and of an event.
    /// - Returns: The values. Each is read once, by any loop.
    public func events<Value: Decodable & Sendable>(
        as type: Value.Type,
        types: Set<String>? = nil,
        until sentinel: String? = nil,
        limit: Int = 1 << 20
    ) -> EventStream<Value> {
        EventStream(source(limit)).filtered(types, until: sentinel)
    }

    private func source(_ limit: Int) -> EventSource {
        let report = EventStateReport()
        return EventSource(EventConnection(self, limit: limit, report), report)
    }
}

extension Resource {
    /// Returns the events that a GET returns; see ``Call/events(reconnect:heartbeat:limit:acceptsJSON:)``.
    ///
    ///     for try await event in site["feed"].events() { print(event.data) }
    ///
    /// - Parameters:
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The events, from as many connections as needed. Nothing is sent until they are read.
    public func events(query: Query = [:], headers: Headers = [:]) -> EventStream<ServerSentEvent> {
        call(.get, query: query, headers: headers).events()
    }

    /// Returns the values of the events that a GET returns; see
    /// ``Call/events(as:types:until:reconnect:heartbeat:limit:acceptsJSON:)``.
    ///
    /// - Parameters:
    ///   - type: The type of each event's value.
    ///   - types: The types of the events to decode; `nil` for all. Other events are skipped.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The values, from as many connections as needed. Nothing is sent until they are read.
    public func events<Value: Decodable & Sendable>(
        as type: Value.Type,
        types: Set<String>? = nil,
        query: Query = [:],
        headers: Headers = [:]
    ) -> EventStream<Value> {
        call(.get, query: query, headers: headers).events(as: type, types: types)
    }
}

extension EventStream where Element: Decodable {
    fileprivate init(_ source: EventSource) {
        self.init(source) { try $0.decode(as: Element.self) }
    }

    fileprivate func filtered(_ types: Set<String>?, until sentinel: String?) -> EventStream {
        var stream = self
        (stream.types, stream.sentinel) = (types, sentinel)
        return stream
    }
}
