// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

// Calls that look right and are not. Without these, the compiler's message would name the wrong argument. No correct
// call considers an unavailable function.
extension Resource {
    /// Unavailable: a path belongs to the resource.
    @available(*, unavailable, message: "put the path in the resource: `site[\"posts\"].get()`")
    public func get(
        _ path: String,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void = { _ in }
    ) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: a path belongs to the resource.
    @available(*, unavailable, message: "put the path in the resource: `site[\"posts\"].delete()`")
    public func delete(
        _ path: String,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void = { _ in }
    ) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: a path belongs to the resource.
    @available(*, unavailable, message: "put the path in the resource: `site[\"posts\"].get(as: Type.self)`")
    public func get<Value>(_ path: String, as type: Value.Type, query: Query = [:], headers: Headers = [:]) async throws
        -> Value
    {
        throw CancellationError()
    }

    /// Unavailable: query items are passed with a label.
    @available(*, unavailable, message: "pass query items with a label: `get(query: [\"page\": 1])`")
    public func get(_ query: Query, headers: Headers = [:]) async throws -> Response { throw CancellationError() }

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await get()`, or `call(.get).start { }`")
    public func get(query: Query = [:], headers: Headers = [:], _ completion: (Response) -> Void) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await get()`, or `call(.get).start { }`")
    public func get(query: Query = [:], headers: Headers = [:], _ completion: () -> Void) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await delete()`, or `call(.delete).start { }`")
    public func delete(query: Query = [:], headers: Headers = [:], _ completion: (Response) -> Void) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await delete()`, or `call(.delete).start { }`")
    public func delete(query: Query = [:], headers: Headers = [:], _ completion: () -> Void) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await post()`, or `call(.post).start { }`")
    public func post(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void
    ) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await put()`, or `call(.put).start { }`")
    public func put(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void
    ) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await patch()`, or `call(.patch).start { }`")
    public func patch(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void
    ) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await post()`, or `call(.post).start { }`")
    public func post(
        body: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void
    ) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await put()`, or `call(.put).start { }`")
    public func put(
        body: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void
    ) {}

    /// Unavailable: this takes no closure.
    @available(*, unavailable, message: "this takes no closure: `try await patch()`, or `call(.patch).start { }`")
    public func patch(
        body: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Response) -> Void
    ) {}

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `post(body: value)`")
    public func post(_ value: some Encodable & Sendable, query: Query = [:], headers: Headers = [:]) async throws
        -> Response
    {
        throw CancellationError()
    }

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `post(body: value)`")
    public func post<Value: Decodable & Sendable>(
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        throw CancellationError()
    }

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `put(body: value)`")
    public func put(_ value: some Encodable & Sendable, query: Query = [:], headers: Headers = [:]) async throws
        -> Response
    {
        throw CancellationError()
    }

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `put(body: value)`")
    public func put<Value: Decodable & Sendable>(
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        throw CancellationError()
    }

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `patch(body: value)`")
    public func patch(_ value: some Encodable & Sendable, query: Query = [:], headers: Headers = [:]) async throws
        -> Response
    {
        throw CancellationError()
    }

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `patch(body: value)`")
    public func patch<Value: Decodable & Sendable>(
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        throw CancellationError()
    }

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `call(method, body: value)`")
    public func call(
        _ method: HTTPRequest.Method,
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Response> {
        .failing(CancellationError(), on: self)
    }

    /// Unavailable: a value is passed with a label.
    @available(*, unavailable, message: "pass the value with a label: `call(method, body: value)`")
    public func call<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Value> {
        .failing(CancellationError(), on: self)
    }
}
