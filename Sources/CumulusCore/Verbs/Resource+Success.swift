// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

// The forms for a call that must succeed, and whose response has nothing to read: `as: Void.self`.
extension Resource {
    /// Sends a GET request, which must succeed.
    ///
    /// - Parameters:
    ///   - type: `Void.self`: the body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func get(as type: Void.Type, query: Query = [:], headers: Headers = [:]) async throws {
        try await Call(self, .get, .none, query, headers, .memory(.success)).send()
    }

    /// Sends a HEAD request, which must succeed.
    ///
    /// - Parameters:
    ///   - type: `Void.self`: the body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func head(as type: Void.Type, query: Query = [:], headers: Headers = [:]) async throws {
        try await Call(self, .head, .none, query, headers, .memory(.success)).send()
    }

    /// Sends an OPTIONS request, which must succeed.
    ///
    /// - Parameters:
    ///   - type: `Void.self`: the body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func options(as type: Void.Type, query: Query = [:], headers: Headers = [:]) async throws {
        try await Call(self, .options, .none, query, headers, .memory(.success)).send()
    }

    /// Sends a DELETE request, which must succeed.
    ///
    /// - Parameters:
    ///   - type: `Void.self`: the body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func delete(as type: Void.Type, query: Query = [:], headers: Headers = [:]) async throws {
        try await Call(self, .delete, .none, query, headers, .memory(.success)).send()
    }

    /// Sends a POST request with an optional payload, which must succeed.
    ///
    /// - Parameters:
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func post(
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Call(self, .post, payload, query, headers, .memory(.success)).send()
    }

    /// Sends a POST request with a value, which must succeed.
    ///
    /// - Parameters:
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func post(
        body value: some Encodable & Sendable,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Call(self, .post, .value(value), query, headers, .memory(.success)).send()
    }

    /// Sends a PUT request with an optional payload, which must succeed.
    ///
    /// - Parameters:
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func put(
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Call(self, .put, payload, query, headers, .memory(.success)).send()
    }

    /// Sends a PUT request with a value, which must succeed.
    ///
    /// - Parameters:
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func put(
        body value: some Encodable & Sendable,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Call(self, .put, .value(value), query, headers, .memory(.success)).send()
    }

    /// Sends a PATCH request with an optional payload, which must succeed.
    ///
    /// - Parameters:
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func patch(
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Call(self, .patch, payload, query, headers, .memory(.success)).send()
    }

    /// Sends a PATCH request with a value, which must succeed.
    ///
    /// - Parameters:
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func patch(
        body value: some Encodable & Sendable,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Call(self, .patch, .value(value), query, headers, .memory(.success)).send()
    }

    /// Creates a call that must succeed and returns no value.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The call; nothing is sent yet.
    public func call(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Void> {
        Call(self, method, payload, query, headers, .memory(.success))
    }

    /// Creates a call that sends a value, must succeed, and returns no value.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - type: `Void.self`: the response's body is not read as a value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The call; nothing is sent yet.
    public func call(
        _ method: HTTPRequest.Method,
        body value: some Encodable & Sendable,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> Call<Void> {
        Call(self, method, .value(value), query, headers, .memory(.success))
    }
}
