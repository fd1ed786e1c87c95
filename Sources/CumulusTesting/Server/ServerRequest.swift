// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

/// A request as the loopback server received it.
public struct ServerRequest: Sendable {
    /// The verb.
    public var method: HTTPRequest.Method
    /// The request target, byte for byte as it was sent.
    public var target: String
    /// The target's path, escaped as it was sent.
    public var path: String
    /// What follows the first `?` of the target, escaped as it was sent; `nil` without a `?`.
    public var query: String?
    /// The fields in the order they came in, with `Host`.
    public var headers: HTTPFields
    /// The body; empty on routes that do not collect it.
    public var body: [UInt8]
    /// The fields after a chunked body.
    public var trailers: HTTPFields
    /// What the route's pattern found: `id` for `:id`, `*` for the rest; unescaped.
    public var parameters: [String: String]
    /// Which of the server's connections this came on, counted from 1.
    public var connection: Int
    /// Which request of its connection this is, counted from 1.
    public var numberOnConnection: Int
    /// Whether the request said `HTTP/1.1` or later.
    public var isHTTP11: Bool

    /// The query's pairs, in order, unescaped; `+` is a blank.
    public var queryItems: [(name: String, value: String?)] {
        guard let query, !query.isEmpty else { return [] }
        return query.parts(at: "&", omitsEmpty: true).map { pair in
            let halves = pair.parts(at: "=", most: 2)
            return (
                PercentCoding.decoded(halves[0], plusIsBlank: true),
                halves.count > 1 ? PercentCoding.decoded(halves[1], plusIsBlank: true) : nil
            )
        }
    }

    /// The first value of the query's pair of this name, unescaped.
    public func queryValue(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The body read as UTF-8, repaired where it is not.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
