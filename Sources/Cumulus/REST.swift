// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

/// Requests to any URL, without a tree: for the odd endpoint, a script, a first try.
///
/// Named after what it does, since it names no place: a `Resource` is a place with settings (time limits,
/// credentials, ...) that its children inherit, and `REST` is the client for a URL that is part of no such tree.
/// ``defaults`` holds settings for all its calls, ``origin(_:)`` those for one server.
public enum REST {
    /// Sends a request and hands over the body as it comes.
    ///
    /// An unsuccessful response is thrown unless `anyStatus` is set.
    ///
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func bytes(
        _ url: some Locator,
        method: HTTPRequest.Method = .get,
        payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        try await resource(url).bytes(method, payload, query: query, headers: headers, anyStatus: anyStatus)
    }

    /// Sends a request with a method by its name and hands over the body as it comes.
    ///
    /// - Throws: As with a method, and `CumulusError` for a name that is not a token.
    public static func bytes(
        _ url: some Locator,
        method: String,
        payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        try await resource(url).bytes(method, payload, query: query, headers: headers, anyStatus: anyStatus)
    }
}
