// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

/// Requests to any URL, without a tree: for the odd endpoint.
///
/// For settings (time limits, credentials, ...) make a `Resource`.
public enum REST {
    /// Sends a GET request and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func get(
        _ url: String,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).get(query: query, headers: headers)
    }

    /// Sends a HEAD request and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func head(
        _ url: String,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).head(query: query, headers: headers)
    }

    /// Sends a OPTIONS request and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func options(
        _ url: String,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).options(query: query, headers: headers)
    }

    /// Sends a GET request and decodes the answer of a successful response.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func get<Value: Decodable & Sendable>(
        _ url: String,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Resource(url).get(as: type, query: query, headers: headers)
    }

    /// Sends a POST request with a payload, or nothing, and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func post(
        _ url: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).post(payload, query: query, headers: headers)
    }

    /// Sends a POST request with a value and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func post(
        _ url: String,
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).post(value, query: query, headers: headers)
    }

    /// Sends a POST request with a value and decodes the answer of a successful response.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func post<Value: Decodable & Sendable>(
        _ url: String,
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Resource(url).post(value, as: type, query: query, headers: headers)
    }

    /// Sends a PUT request with a payload, or nothing, and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func put(
        _ url: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).put(payload, query: query, headers: headers)
    }

    /// Sends a PUT request with a value and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func put(
        _ url: String,
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).put(value, query: query, headers: headers)
    }

    /// Sends a PUT request with a value and decodes the answer of a successful response.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func put<Value: Decodable & Sendable>(
        _ url: String,
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Resource(url).put(value, as: type, query: query, headers: headers)
    }

    /// Sends a PATCH request with a payload, or nothing, and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func patch(
        _ url: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).patch(payload, query: query, headers: headers)
    }

    /// Sends a PATCH request with a value and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func patch(
        _ url: String,
        _ value: some Encodable & Sendable,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).patch(value, query: query, headers: headers)
    }

    /// Sends a PATCH request with a value and decodes the answer of a successful response.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func patch<Value: Decodable & Sendable>(
        _ url: String,
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Resource(url).patch(value, as: type, query: query, headers: headers)
    }

    /// Sends a DELETE request with a payload, or nothing, and returns the response, whatever its status.
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

    /// Sends a DELETE request with a value and decodes the answer of a successful response.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func delete<Value: Decodable & Sendable>(
        _ url: String,
        _ value: some Encodable & Sendable,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await Resource(url).delete(value, as: type, query: query, headers: headers)
    }

    /// Sends a request with any method and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func request(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await Resource(url).request(method, payload, query: query, headers: headers)
    }

    /// Sends a request made elsewhere, to the URL in it.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func send(
        _ request: HTTPRequest,
        body: RequestBody = .none
    ) async throws -> Response {
        try await Resource(raw: request).send(request, body: body)
    }
}

extension Resource {
    /// The root of a raw request's origin.
    fileprivate convenience init(raw request: HTTPRequest) {
        self.init("\(request.scheme ?? "")://\(request.authority ?? "")")
    }
}
