// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Sends a GET request (RFC 9110 section 9.3.1).
    ///
    /// - Parameters:
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The response, regardless of its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func get(query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await Call(self, .get, .none, query, headers, .memory(.whole)).send()
    }

    /// Sends a GET request and decodes the response (RFC 9110 section 9.3.1).
    ///
    /// - Parameters:
    ///   - type: The type to decode from the body of a successful response.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func get<Value: Decodable & Sendable>(
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Call(self, .get, .none, query, headers, .memory(.value(type))).send()
    }

    /// Sends a HEAD request (RFC 9110 section 9.3.2).
    ///
    /// - Parameters:
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The response, regardless of its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func head(query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await Call(self, .head, .none, query, headers, .memory(.whole)).send()
    }

    /// Sends an OPTIONS request (RFC 9110 section 9.3.7).
    ///
    /// - Parameters:
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The response, regardless of its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func options(query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await Call(self, .options, .none, query, headers, .memory(.whole)).send()
    }

    /// Sends a DELETE request (RFC 9110 section 9.3.5).
    ///
    /// - Parameters:
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The response, regardless of its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func delete(query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await Call(self, .delete, .none, query, headers, .memory(.whole)).send()
    }

    /// Sends a DELETE request and decodes the response (RFC 9110 section 9.3.5).
    ///
    /// - Parameters:
    ///   - type: The type to decode from the body of a successful response.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func delete<Value: Decodable & Sendable>(
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Call(self, .delete, .none, query, headers, .memory(.value(type))).send()
    }
}
