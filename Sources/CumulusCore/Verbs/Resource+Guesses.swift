// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Names of other libraries, each with a message that names the remedy. No correct call considers an unavailable
// function.
extension Resource {
    /// Unavailable: a call is made by `call`, and sent by a verb.
    @available(
        *,
        unavailable,
        message: "use a verb to send a request: `try await get()`; `call(.get)` makes a call to send later"
    )
    public func request(_ method: HTTPRequest.Method) {}

    /// Unavailable: a resource doesn't have its own request.
    @available(*, unavailable, message: "use a verb to send a request: `try await get()`, or `call(.get).send()`")
    public func send() async throws -> Response { throw CancellationError() }

    /// Unavailable: streams belong to calls.
    @available(*, unavailable, message: "stream a call: `try await call(.get).stream()`")
    public func stream() async throws -> ResponseStream { throw CancellationError() }

    /// Unavailable: an upload is a verb with a payload.
    @available(
        *,
        unavailable,
        message: "upload with a verb and a payload: `put(.file(path))`, `post(.multipart(form))`"
    )
    public func upload(_ content: Any) async throws -> Response { throw CancellationError() }

    /// Unavailable: a child is a subscript.
    @available(
        *,
        unavailable,
        message: "use a subscript for a child: `site[\"posts\"]`, or `site[path: text]` for a string"
    )
    public func appending(path: String) -> Resource { self }

    /// Unavailable: this takes no closure.
    @available(
        *,
        unavailable,
        message: "this takes no closure: `try await get()`, or `call(.get).start { result in }`"
    )
    public func get(_ completion: (Data?, Response?, (any Error)?) -> Void) {}
}

// Values and forms with labels of other libraries.
extension Resource {
    /// Unavailable: JSON is the default.
    @available(*, unavailable, message: "JSON is the default: `post(body: value)`, or a literal: `post([\"a\": 1])`")
    public func post(json value: some Encodable & Sendable) async throws -> Response { throw CancellationError() }

    /// Unavailable: JSON is the default.
    @available(*, unavailable, message: "JSON is the default: `put(body: value)`, or a literal: `put([\"a\": 1])`")
    public func put(json value: some Encodable & Sendable) async throws -> Response { throw CancellationError() }

    /// Unavailable: JSON is the default.
    @available(*, unavailable, message: "JSON is the default: `patch(body: value)`, or a literal: `patch([\"a\": 1])`")
    public func patch(json value: some Encodable & Sendable) async throws -> Response { throw CancellationError() }

    /// Unavailable: a form must be wrapped in a payload.
    @available(*, unavailable, message: "use a payload for a form: `post(.form([\"a\": 1]))`")
    public func post(form: Query) async throws -> Response { throw CancellationError() }

    /// Unavailable: a form must be wrapped in a payload.
    @available(*, unavailable, message: "use a payload for a form: `put(.form([\"a\": 1]))`")
    public func put(form: Query) async throws -> Response { throw CancellationError() }

    /// Unavailable: a form must be wrapped in a payload.
    @available(*, unavailable, message: "use a payload for a form: `patch(.form([\"a\": 1]))`")
    public func patch(form: Query) async throws -> Response { throw CancellationError() }
}

extension BoundAuthorizer {
    /// Unavailable: the renewal of tokens belongs to a different module.
    @available(
        *,
        unavailable,
        message: "CumulusOAuth renews tokens: `import CumulusOAuth`, and return `BearerToken(text)`"
    )
    public static func bearer(
        for user: String? = nil,
        refreshing refresh: @escaping @Sendable (String?) async throws -> String
    ) -> BoundAuthorizer { .custom(BearerAuthorizer("")) }

    /// Unavailable: a key in a header field has its own method.
    @available(*, unavailable, message: "write `.apiKey(key, header: \"X-API-Key\")`")
    public static func header(_ name: String, _ value: String) -> BoundAuthorizer { .custom(BearerAuthorizer("")) }
}
