// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

/// Requests to any URL, without a tree: for the odd endpoint.
///
/// ``defaults`` holds settings for all of them, ``origin(_:)`` those for one server; a service of which you use more than
/// an endpoint is better made a `Resource`.
public enum REST {
    /// Sends a GET request and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func get(_ url: String, query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await resource(url).get(query: query, headers: headers)
    }

    /// Sends a GET request and decodes the answer.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func get<Value: Decodable & Sendable>(
        _ url: String,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await resource(url).get(as: type, query: query, headers: headers)
    }

    /// Sends a GET request and asks for nothing but success.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func get(
        _ url: String,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await resource(url).get(as: type, query: query, headers: headers)
    }

    /// Sends a HEAD request and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func head(_ url: String, query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await resource(url).head(query: query, headers: headers)
    }

    /// Sends a HEAD request and asks for nothing but success.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func head(
        _ url: String,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await resource(url).head(as: type, query: query, headers: headers)
    }

    /// Sends an OPTIONS request and returns the response, whatever its status.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func options(_ url: String, query: Query = [:], headers: Headers = [:]) async throws -> Response {
        try await resource(url).options(query: query, headers: headers)
    }

    /// Sends an OPTIONS request and decodes the answer.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func options<Value: Decodable & Sendable>(
        _ url: String,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await resource(url).options(as: type, query: query, headers: headers)
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
        try await resource(url).request(method, payload, query: query, headers: headers)
    }

    /// Sends a request with any method and decodes the answer.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func request<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ payload: Payload = .none,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await resource(url).request(method, payload, as: type, query: query, headers: headers)
    }

    /// Sends a request with any method and asks for nothing but success.
    ///
    /// - Throws: `CumulusError`, also for an unsuccessful response, or `CancellationError` when the task is cancelled.
    public static func request(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await resource(url).request(method, payload, as: type, query: query, headers: headers)
    }

    /// Sends a request and hands over the body as it comes.
    ///
    /// An unsuccessful response is thrown unless `anyStatus` is set.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func bytes(
        _ url: String,
        method: HTTPRequest.Method = .get,
        payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        try await resource(url).bytes(method, payload, query: query, headers: headers, anyStatus: anyStatus)
    }

    /// Sends a request made elsewhere, to the URL in it.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func send(_ request: HTTPRequest, body: RequestBody = .none) async throws -> Response {
        try await resource("\(request.scheme ?? "")://\(request.authority ?? "")").send(request, body: body)
    }
}
