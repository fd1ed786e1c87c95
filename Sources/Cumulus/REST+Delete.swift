// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension REST {
    /// Sends a DELETE request with a payload, or nothing and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func delete(
        _ url: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).delete(payload, query: query, headers: headers)
    }

    /// Sends a DELETE request with a payload, or nothing and decodes the answer.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func delete<Value: Decodable & Sendable>(
        _ url: String,
        _ payload: Payload = .none,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Resource(url).delete(payload, as: type, query: query, headers: headers)
    }

    /// Sends a DELETE request with a payload, or nothing and asks for nothing but success.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func delete(
        _ url: String,
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Resource(url).delete(payload, as: type, query: query, headers: headers)
    }

    /// Sends a DELETE request with a value and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func delete(
        _ url: String,
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).delete(value, query: query, headers: headers)
    }

    /// Sends a DELETE request with a value and decodes the answer.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func delete<Value: Decodable & Sendable>(
        _ url: String,
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Resource(url).delete(value, as: type, query: query, headers: headers)
    }

    /// Sends a DELETE request with a value and asks for nothing but success.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func delete(
        _ url: String,
        _ value: some Encodable & Sendable,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await Resource(url).delete(value, as: type, query: query, headers: headers)
    }
}
