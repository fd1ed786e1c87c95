// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives
public import HTTPTypes

/// A request as a stub transport received it, with its whole body.
public struct StubRequest: Sendable {
    /// The request that was passed to the transport.
    public var request: TransportRequest
    /// The body's bytes, from any source.
    public var body: [UInt8]
    /// The fields after the body.
    public var trailers: HTTPFields = [:]
    /// The parameters of the route's pattern: `id` for `:id`, `*` for the remaining segments; unescaped.
    public var parameters: [String: String]
    /// The number of the request on its transport, counted from 1.
    public var number: Int

    /// The method.
    public var method: HTTPRequest.Method { request.method }
    /// The header fields.
    public var headers: HTTPFields { request.headers }
    /// The target's path, escaped.
    public var path: String { String(request.target.before("?")) }
    /// The target's text after its first `?`, escaped; `nil` if there is no `?`.
    public var query: String? {
        request.target.cut(at: "?").map { String($0.behind) }
    }
    /// The query's pairs, in order, unescaped; `+` is decoded as a space.
    public var queryItems: [(name: String, value: String?)] { QueryPairs.parsed(query) }
    /// The whole URL.
    public var url: String { "\(request.origin)\(request.target)" }
    /// The body as UTF-8, with invalid bytes replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON.
    ///
    /// - Throws: `JSON.ParsingError`, with the position at which the body is not JSON.
    public var json: JSON { get throws { try JSON(parsing: body) } }

    /// Returns the first value of the query pair with this name, unescaped.
    public func queryValue(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }
}
