// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Sends a DELETE request with a payload, or nothing (RFC 9110 section 9.3.5).
    ///
    /// - Parameters:
    ///   - payload: What the request carries.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func delete(
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await request(.delete, payload, query: query, headers: headers)
    }

    /// Sends a DELETE request with a payload, or nothing and decodes the answer (RFC 9110 section 9.3.5).
    ///
    /// - Parameters:
    ///   - payload: What the request carries.
    ///   - type: What to make of the body of a successful response.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func delete<Value: Decodable & Sendable>(
        _ payload: Payload = .none,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await request(.delete, payload, as: type, query: query, headers: headers)
    }

    /// Sends a DELETE request with a payload, or nothing and asks for nothing but success (RFC 9110 section 9.3.5).
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func delete(
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await request(.delete, payload, as: type, query: query, headers: headers)
    }

    /// Sends a DELETE request with a value (RFC 9110 section 9.3.5).
    ///
    /// - Parameters:
    ///   - value: What the request carries, encoded by the coder for its type or `Content-Type`.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func delete(
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await request(.delete, .value(value), query: query, headers: headers)
    }

    /// Sends a DELETE request with a value and decodes the answer (RFC 9110 section 9.3.5).
    ///
    /// - Parameters:
    ///   - value: What the request carries, encoded by the coder for its type or `Content-Type`.
    ///   - type: What to make of the body of a successful response.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func delete<Value: Decodable & Sendable>(
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await request(.delete, .value(value), as: type, query: query, headers: headers)
    }

    /// Sends a DELETE request with a value and asks for nothing but success (RFC 9110 section 9.3.5).
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func delete(
        _ value: some Encodable & Sendable,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await request(.delete, .value(value), as: type, query: query, headers: headers)
    }
}
