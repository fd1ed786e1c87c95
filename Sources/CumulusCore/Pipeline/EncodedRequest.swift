// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request as it is sent: method, place, fields, and a body that knows whether it can be sent again.
public struct EncodedRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// Where it goes; an authorizer or interceptor can't change it.
    public internal(set) var origin: Origin
    /// Path and query, encoded.
    public var target: String
    /// The header fields, without those that frame the body.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody

    /// Puts a request together; target and fields are checked by the transport.
    public init(
        method: HTTPRequest.Method,
        url: RequestURL,
        headers: HTTPFields = [:],
        body: RequestBody = .none
    ) {
        self.init(method: method, origin: url.origin, target: url.target, headers: headers, body: body)
    }

    init(method: HTTPRequest.Method, origin: Origin, target: String, headers: HTTPFields, body: RequestBody) {
        self.method = method
        self.origin = origin
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The URL.
    public var url: RequestURL {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return RequestURL(
            origin: origin,
            path: parts.first.map(String.init) ?? "/",
            query: parts.count > 1 ? String(parts[1]) : nil
        )
    }

    /// The URL with query values redacted.
    public var redactedURL: String { url.redacted }
}

extension EncodedRequest: CustomStringConvertible {
    /// Method and URL, without secrets.
    public var description: String { "\(method.rawValue) \(redactedURL)" }
}
