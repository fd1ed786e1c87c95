// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Call where Output == Response {
    /// Returns the values of a list that grows, such as CouchDB's `_changes`: after the end of each response, the call
    /// is sent again with the last cursor in a query item.
    ///
    ///     let call = site["db/_changes"].call(.get, query: ["feed": "longpoll"])
    ///     for try await page in call.follow(as: Changes.self, query: "since", cursor: { $0.lastSequence }) {
    ///         print(page.results.count)
    ///     }
    ///
    /// Nothing is sent until the values are read. A response contains any number of JSON values, one after the other: a
    /// document, JSON lines, or a JSON text sequence (`application/json-seq`). A value that is cut off by the end of a
    /// response is dropped, since the next response contains it.
    ///
    /// After a response that moved the cursor, the next request is sent immediately. After any other end, and after an
    /// error that may be temporary, it waits as ``events(reconnect:heartbeat:limit:acceptsJSON:)`` does. The time
    /// limits are also the same. The first request is retried as ``Resource/Settings/retry`` specifies.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - name: The name of the query item. It is omitted until there is a cursor.
    ///   - start: The cursor of the first request, such as one that you have stored; `nil` for none.
    ///   - heartbeat: The time for which the server may send nothing before the request is sent again; `nil` means no
    ///     limit.
    ///   - limit: The maximum length of a value in bytes.
    ///   - cursor: Returns the cursor after a value; `nil` keeps the previous one. Its errors are treated like those of
    ///     the server.
    ///   - restart: A function that is called with a status that is not temporary, such as 410 (Gone) for a cursor that
    ///     is too old, and with an error of a value or of `cursor`. It returns the cursor with which to continue, or
    ///     `nil` for the beginning; rethrow the error to end the values. By default they end with the error.
    /// - Returns: The values, from as many requests as needed.
    public func follow<Value: Decodable & Sendable, Cursor: CustomStringConvertible & Sendable>(
        as type: Value.Type = Value.self,
        query name: String,
        from start: Cursor? = nil,
        heartbeat: Duration? = nil,
        limit: Int = 1 << 20,
        cursor: @escaping @Sendable (Value) throws -> Cursor?,
        restart: (@Sendable (any Error) async throws -> Cursor?)? = nil
    ) -> EventStream<Value> {
        follow(
            from: start,
            heartbeat: heartbeat,
            limit: limit,
            cursor: cursor,
            continuing: { call, cursor in call.query[name] = cursor.description },
            restart: restart
        )
    }

    /// Returns the values of a list that grows; your own code adds the cursor to the next request, in its body or in a
    /// header field.
    ///
    ///     let messages = watch.follow(as: WatchMessage.self, cursor: { $0.revision }) { call, revision in
    ///         call.payload = .json(["create_request": WatchStart(revision: revision + 1)])
    ///     }
    ///
    /// See ``follow(as:query:from:heartbeat:limit:cursor:restart:)``. The request is sent again regardless of its
    /// method.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - start: The cursor of the first request; `nil` for none.
    ///   - heartbeat: The time for which the server may send nothing before the request is sent again; `nil` means no
    ///     limit.
    ///   - limit: The maximum length of a value in bytes.
    ///   - cursor: Returns the cursor after a value; `nil` keeps the previous one.
    ///   - change: Changes a copy of the call so that its response continues after the cursor.
    ///   - restart: Returns the cursor with which to continue after an error, or rethrows it.
    /// - Returns: The values, from as many requests as needed.
    public func follow<Value: Decodable & Sendable, Cursor: CustomStringConvertible & Sendable>(
        as type: Value.Type = Value.self,
        from start: Cursor? = nil,
        heartbeat: Duration? = nil,
        limit: Int = 1 << 20,
        cursor: @escaping @Sendable (Value) throws -> Cursor?,
        continuing change: @escaping @Sendable (inout Call<Response>, Cursor) -> Void,
        restart: (@Sendable (any Error) async throws -> Cursor?)? = nil
    ) -> EventStream<Value> {
        let position: @Sendable (Cursor?) -> ListCursor? = { cursor in
            cursor.map { cursor in ListCursor(text: cursor.description) { change(&$0, cursor) } }
        }
        var options = EventConnection.Options(heartbeat: heartbeat, limit: limit, followsList: true)
        if let restart { options.restart = { try await position(restart($0)) } }
        let report = EventStateReport()
        let connection = EventConnection(self, options, after: position(start), report)
        return EventStream(EventSource(connection, report)) { received in
            guard let value = try received.decode(as: Value.self) else { return nil }
            received.cursor = position(try cursor(value))
            return value
        }
    }
}

extension Resource {
    /// Returns the values of a list that grows, requested by GET; see
    /// ``Call/follow(as:query:from:heartbeat:limit:cursor:restart:)``.
    ///
    ///     let pages = site["changes"].follow(query: "since", cursor: { (page: Changes) in page.lastSequence })
    ///     for try await page in pages { print(page.results.count) }
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - name: The name of the query item with the cursor.
    ///   - start: The cursor of the first request; `nil` for none.
    ///   - cursor: Returns the cursor after a value; `nil` keeps the previous one.
    ///   - restart: Returns the cursor with which to continue after an error, or rethrows it.
    /// - Returns: The values, from as many requests as needed. Nothing is sent until they are read.
    public func follow<Value: Decodable & Sendable, Cursor: CustomStringConvertible & Sendable>(
        as type: Value.Type = Value.self,
        query name: String,
        from start: Cursor? = nil,
        cursor: @escaping @Sendable (Value) throws -> Cursor?,
        restart: (@Sendable (any Error) async throws -> Cursor?)? = nil
    ) -> EventStream<Value> {
        call(.get).follow(as: type, query: name, from: start, cursor: cursor, restart: restart)
    }
}
