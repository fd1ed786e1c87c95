// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
public import HTTPTypes

/// A request as the loopback server received it.
public struct ServerRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The request target, exactly as received.
    public var target: String
    /// The target's path, escaped as received.
    public var path: String
    /// The target's text after its first `?`, escaped as received; `nil` if there is no `?`.
    public var query: String?
    /// The fields in order of arrival, including `Host`.
    public var headers: HTTPFields
    /// The body; empty on routes that do not collect it.
    public var body: [UInt8]
    /// The fields after a chunked body.
    public var trailers: HTTPFields
    /// The parameters of the route's pattern: `id` for `:id`, `*` for the remaining segments; unescaped.
    public var parameters: [String: String]
    /// The request's number on the server, counted from 1 in the order in which heads arrive.
    public var number: Int
    /// The number of the connection that the request arrived on, counted from 1.
    public var connection: Int
    /// The request's number on its connection, counted from 1.
    public var numberOnConnection: Int
    /// Whether the request's version is `HTTP/1.1` or later.
    public var isHTTP11: Bool

    /// The query's pairs, in order, unescaped; `+` is decoded as a space.
    public var queryItems: [(name: String, value: String?)] { QueryPairs.parsed(query) }

    /// Returns the first value of the query pair with this name, unescaped.
    public func queryValue(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The body as UTF-8, with invalid bytes replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
