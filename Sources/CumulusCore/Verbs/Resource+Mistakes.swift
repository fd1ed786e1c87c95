// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

// Forms that look right and are not: without these, the compiler would answer "failed to produce diagnostic" or name the
// wrong argument. The parameter pack takes closures of any shape, and no correct call ever considers an unavailable form.
extension Resource {
    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.get()`, or `site.call(.get).start { result in }`"
    )
    public func get<each T>(query: Query = [:], headers: Headers = [:], _ completion: (repeat each T) -> Void) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.head()`, or `site.call(.head).start { result in }`"
    )
    public func head<each T>(query: Query = [:], headers: Headers = [:], _ completion: (repeat each T) -> Void) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.options()`, or `site.call(.options).start { result in }`"
    )
    public func options<each T>(query: Query = [:], headers: Headers = [:], _ completion: (repeat each T) -> Void) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.delete()`, or `site.call(.delete).start { result in }`"
    )
    public func delete<each T>(query: Query = [:], headers: Headers = [:], _ completion: (repeat each T) -> Void) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.post()`, or `site.call(.post).start { result in }`"
    )
    public func post<each T>(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (repeat each T) -> Void
    ) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.put()`, or `site.call(.put).start { result in }`"
    )
    public func put<each T>(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (repeat each T) -> Void
    ) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.patch()`, or `site.call(.patch).start { result in }`"
    )
    public func patch<each T>(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (repeat each T) -> Void
    ) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.post()`, or `site.call(.post).start { result in }`"
    )
    public func post<each T>(
        body: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (repeat each T) -> Void
    ) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.put()`, or `site.call(.put).start { result in }`"
    )
    public func put<each T>(
        body: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (repeat each T) -> Void
    ) {}

    /// A verb takes no closure.
    @available(
        *,
        unavailable,
        message: "a verb takes no closure: `try await site.patch()`, or `site.call(.patch).start { result in }`"
    )
    public func patch<each T>(
        body: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (repeat each T) -> Void
    ) {}

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `post(body: value)`"
    )
    public func post(_ value: some Encodable & Sendable, query: Query = [:], headers: Headers = [:]) async throws
        -> Response
    {
        throw CancellationError()
    }

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `post(body: value)`"
    )
    public func post<Value: Decodable & Sendable>(
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        throw CancellationError()
    }

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `put(body: value)`"
    )
    public func put(_ value: some Encodable & Sendable, query: Query = [:], headers: Headers = [:]) async throws
        -> Response
    {
        throw CancellationError()
    }

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `put(body: value)`"
    )
    public func put<Value: Decodable & Sendable>(
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        throw CancellationError()
    }

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `patch(body: value)`"
    )
    public func patch(_ value: some Encodable & Sendable, query: Query = [:], headers: Headers = [:]) async throws
        -> Response
    {
        throw CancellationError()
    }

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `patch(body: value)`"
    )
    public func patch<Value: Decodable & Sendable>(
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        throw CancellationError()
    }

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `call(method, body: value)`"
    )
    public func call(
        _ method: HTTPRequest.Method,
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Response> {
        .failing(CancellationError(), on: self)
    }

    /// A value is passed with a label.
    @available(
        *,
        unavailable,
        message: "a value is passed with a label: `call(method, body: value)`"
    )
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
