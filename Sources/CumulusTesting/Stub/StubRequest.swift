// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// A request as a stub transport received it, its body read whole.
public struct StubRequest: Sendable {
    /// The request as it was handed to the transport.
    public var request: TransportRequest
    /// The body's bytes, wherever they came from.
    public var body: [UInt8]
    /// What the route's pattern found: `id` for `:id`, `*` for the rest; unescaped.
    public var parameters: [String: String]
    /// Which request of the transport this is, counted from 1.
    public var number: Int

    /// The method.
    public var method: HTTPRequest.Method { request.method }
    /// The header fields.
    public var headers: HTTPFields { request.headers }
    /// The target's path, escaped.
    public var path: String { String(request.target.before("?")) }
    /// What follows the first `?` of the target, escaped; `nil` without a `?`.
    public var query: String? {
        request.target.cut(at: "?").map { String($0.behind) }
    }
    /// The whole URL.
    public var url: String { "\(request.origin)\(request.target)" }
    /// The body read as UTF-8, repaired where it is not.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
