// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Sends a POST request with an optional payload (RFC 9110 section 9.3.3).
    ///
    /// - Parameters:
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The response, regardless of its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func post(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Call(self, .post, payload, query, headers, .memory(.whole)).send()
    }

    /// Sends a POST request with an optional payload and decodes the response (RFC 9110 section 9.3.3).
    ///
    /// - Parameters:
    ///   - payload: The request's body: a literal, `.form`, `.file`, `.multipart`, ...
    ///   - type: The type to decode from the body of a successful response.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func post<Value: Decodable & Sendable>(
        _ payload: Payload = .none,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Call(self, .post, payload, query, headers, .memory(.value(type))).send()
    }

    /// Sends a POST request with a value (RFC 9110 section 9.3.3).
    ///
    /// - Parameters:
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The response, regardless of its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func post(
        body value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Call(self, .post, .value(value), query, headers, .memory(.whole)).send()
    }

    /// Sends a POST request with a value and decodes the response (RFC 9110 section 9.3.3).
    ///
    /// - Parameters:
    ///   - value: The request's body, encoded by the coder for its type or `Content-Type`.
    ///   - type: The type to decode from the body of a successful response.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func post<Value: Decodable & Sendable>(
        body value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Call(self, .post, .value(value), query, headers, .memory(.value(type))).send()
    }
}
