// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Sends a GET request (RFC 9110 section 9.3.1).
    ///
    /// - Parameters:
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func get(query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await request(.get, query: query, headers: headers)
    }

    /// Sends a GET request and decodes the answer (RFC 9110 section 9.3.1).
    ///
    /// - Parameters:
    ///   - type: What to make of the body of a successful response.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func get<Value: Decodable & Sendable>(
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await request(.get, as: type, query: query, headers: headers)
    }
}

extension Resource {
    /// Sends a GET request and asks for nothing but success.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func get(as type: Void.Type, query: Query = [:], headers: Headers = [:]) async throws {
        try await request(.get, as: type, query: query, headers: headers)
    }

    /// Sends a HEAD request and asks for nothing but success.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func head(as type: Void.Type, query: Query = [:], headers: Headers = [:]) async throws {
        try await request(.head, as: type, query: query, headers: headers)
    }
}

extension Resource {
    /// Sends a HEAD request: the answer has no body (RFC 9110 section 9.3.2).
    ///
    /// - Parameters:
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func head(query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await request(.head, query: query, headers: headers)
    }
}

extension Resource {
    /// Sends an OPTIONS request (RFC 9110 section 9.3.7).
    ///
    /// - Parameters:
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func options(query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await request(.options, query: query, headers: headers)
    }

    /// Sends an OPTIONS request and decodes the answer (RFC 9110 section 9.3.7).
    ///
    /// - Parameters:
    ///   - type: What to make of the body of a successful response.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func options<Value: Decodable & Sendable>(
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await request(.options, as: type, query: query, headers: headers)
    }
}
