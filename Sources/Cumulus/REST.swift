// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

/// Requests to any URL, without a tree: for one-off requests, scripts and experiments.
///
/// A `Resource` is a place with settings (time limits, credentials, ...) that its children inherit; `REST` is the
/// client for a URL outside of any tree. ``defaults`` holds the settings for all its calls, ``origin(_:)`` those for
/// one server.
public enum REST {
    /// Sends a request and returns the body as a stream.
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

    /// Sends a request with a method given by name and returns the body as a stream.
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
