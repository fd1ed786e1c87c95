// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Arguments of other libraries, each with a message that names the remedy.
extension Resource {
    /// Unavailable: the type is passed with a label.
    @available(*, unavailable, message: "pass the type with a label: `get(as: Post.self)`")
    public func get<Value>(_ type: Value.Type, query: Query = [:], headers: Headers = [:]) async throws -> Value {
        throw CancellationError()
    }

    /// Unavailable: the type must be specified.
    @available(*, unavailable, message: "name the type: `let post = try await site.get(as: Post.self)`")
    public func get<Value: Decodable>(query: Query = [:], headers: Headers = [:]) async throws -> Value {
        throw CancellationError()
    }

    /// Unavailable: dynamic JSON has its own type.
    @available(*, unavailable, message: "for JSON without a type of your own, use `get(as: JSON.self)`")
    public func get(as type: [String: Any].Type, query: Query = [:], headers: Headers = [:]) async throws -> [String:
        Any]
    { throw CancellationError() }

    /// Unavailable: this takes no closure.
    @available(
        *,
        unavailable,
        message:
            "this takes no closure: `try await get(as: Post.self)`, or `call(.get, as: Post.self).start { result in }`"
    )
    public func get<Value>(
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:],
        _ completion: (Value) -> Void
    ) {}

    /// Unavailable: query items have a different label.
    @available(*, unavailable, message: "pass query items with the label `query`: `get(query: [\"page\": 1])`")
    public func get(parameters: Query, headers: Headers = [:]) async throws -> Response { throw CancellationError() }

    /// Unavailable: query items have a different label.
    @available(*, unavailable, message: "pass query items with the label `query`: `get(query: [\"page\": 1])`")
    public func get(params: Query, headers: Headers = [:]) async throws -> Response { throw CancellationError() }

    /// Unavailable: a time limit is a setting.
    @available(*, unavailable, message: "a time limit is a setting: `site.with { $0.timeout = .seconds(5) }.get()`")
    public func get(query: Query = [:], headers: Headers = [:], timeout: Duration) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: a cache policy is a setting.
    @available(*, unavailable, message: "a cache policy is a setting: `site.with { $0.cachePolicy = .reload }.get()`")
    public func get(query: Query = [:], headers: Headers = [:], cachePolicy: CachePolicy) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: members of several types are passed as a literal.
    @available(
        *,
        unavailable,
        message: "pass values of several types as a literal without a label: `post([\"a\": \"b\", \"c\": 1])`"
    )
    public func post(body value: [String: Any], query: Query = [:], headers: Headers = [:]) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: bytes must be wrapped in a payload.
    @available(*, unavailable, message: "use a payload for bytes: `post(.bytes(data, type: .bytes))`")
    public func post(data: Data) async throws -> Response { throw CancellationError() }

    /// Unavailable: a form must be wrapped in a payload.
    @available(*, unavailable, message: "use a payload for a form: `post(.multipart(form))`")
    public func post(multipart form: MultipartForm) async throws -> Response { throw CancellationError() }

    /// Unavailable: an upload is a verb with a payload.
    @available(*, unavailable, message: "upload with a verb and a payload: `put(.file(path))`")
    public func upload(file: Any) async throws -> Response { throw CancellationError() }

    /// Unavailable: an upload is a verb with a payload.
    @available(
        *,
        unavailable,
        message: "upload with a verb and a payload: `put(.file(path))`, `put(.bytes(data))`"
    )
    public func upload(from source: Any) async throws -> Response { throw CancellationError() }

    /// Unavailable: a verb sends a request.
    @available(*, unavailable, message: "use a verb to send a request: `try await site[\"posts\"].get()`")
    public func request(_ path: String = "", method: HTTPRequest.Method = .get) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: a verb sends a request.
    @available(*, unavailable, message: "use a verb to send a request: `try await get()`, or `call(method).send()`")
    public func send(_ method: HTTPRequest.Method) async throws -> Response { throw CancellationError() }

    /// Unavailable: options are passed as a value.
    @available(
        *,
        unavailable,
        message: "pass the options as a value: `download(to: file, options: DownloadOptions(resume: true))`"
    )
    public func download(
        to file: some Locator,
        resume: Bool,
        onProgress: ((TransferProgress) -> Void)? = nil
    ) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: children are created with a subscript.
    @available(*, unavailable, message: "use a subscript for a child: `site[\"posts\"]`")
    public func child(_ path: String) -> Resource { self }

    /// Unavailable: children are created with a subscript.
    @available(
        *,
        unavailable,
        message: "use a subscript for a child: `site[\"posts\"]`, or `site[path: text]` for a string"
    )
    public func appendingPathComponent(_ path: String) -> Resource { self }

    /// Unavailable: children are created with a subscript.
    @available(*, unavailable, message: "use a subscript for a child: `site[\"posts\"]`")
    public func resource(_ path: String) -> Resource { self }

    /// Unavailable: the path is a part of the URL.
    @available(*, unavailable, message: "read the path of the URL: `url?.path`")
    public var path: String { "" }

    /// Unavailable: WebSocket is not supported.
    @available(*, unavailable, message: "WebSocket is not supported; for server-sent events, use `events()`")
    public func webSocket() -> Resource { self }

    /// Unavailable: each part of a path has its own subscript.
    @available(*, unavailable, message: "use one subscript for each part: `site[\"posts\"][42]`")
    public subscript(first: ResourcePath, rest: Any...) -> Resource { self }

    /// Unavailable: children are created with a subscript.
    @available(*, unavailable, message: "use a subscript for a child: `site[\"posts\"]`")
    public static func / (site: Resource, path: String) -> Resource { site }

    /// Unavailable: header fields are a setting.
    @available(*, unavailable, message: "header fields are a setting: `Resource(url) { $0.headers = [...] }`")
    public init(_ url: String, headers: Headers) { self.init(nowhere: "", transport: NoTransport()) }

    /// Unavailable: a time limit is a setting.
    @available(*, unavailable, message: "a time limit is a setting: `Resource(url) { $0.timeout = .seconds(5) }`")
    public init(_ url: String, timeout: Duration) { self.init(nowhere: "", transport: NoTransport()) }

    /// Unavailable: rules contain settings.
    @available(*, unavailable, message: "rules contain `settings`: `Resource(url) { change(&$0.settings) }`")
    public init(_ url: String, _ change: (inout Resource.Settings) -> Void) {
        self.init(nowhere: "", transport: NoTransport())
    }

    /// Unavailable: a custom method is a value, not a string.
    @available(*, unavailable, message: "pass a custom method as a value: `call(HTTPRequest.Method(\"PURGE\")!)`")
    public func call(_ method: String) -> Never? { nil }

    /// Unavailable: progress is reported to an observer.
    @available(
        *,
        unavailable,
        message: "observe progress: `site.with { $0.observers.append(.progress { progress in }) }.put(...)`"
    )
    public func put(_ payload: Payload, onProgress: (TransferProgress) -> Void) async throws -> Response {
        throw CancellationError()
    }

    /// Unavailable: a scope cancels its own calls.
    @available(*, unavailable, message: "a scope cancels its own calls: `scope.cancel()`")
    public func cancelAll(in scope: RequestScope) {}

    /// Unavailable: reconnecting belongs to a call.
    @available(*, unavailable, message: "pass `reconnect` to `events`: `call(.get).events(reconnect: .never)`")
    public func events(reconnect: Reconnection) -> Never? { nil }

    /// Unavailable: rules contain settings.
    @available(
        *,
        unavailable,
        message: "call a function that writes settings within rules: `setRules { change(&$0.settings) }`"
    )
    public func setRules(_ change: (inout Resource.Settings) -> Void) {}
}

extension Call {
    /// Unavailable: a time limit is a setting.
    @available(*, unavailable, message: "set a call's settings in `with`: `call.with { $0.timeout = .seconds(5) }`")
    public var timeout: Duration? {
        get { nil }
        set {}
    }

    /// Unavailable: a key is a setting.
    @available(*, unavailable, message: "set a call's settings in `with`: `call.with { $0.idempotencyKey = .auto }`")
    public var idempotencyKey: IdempotencyKey? {
        get { nil }
        set {}
    }
}

extension CallKey {
    /// Unavailable: a key is valid in the call's scope.
    @available(
        *,
        unavailable,
        message: "a key is valid in the call's scope: `call.with { $0.scope = scope.membership }`"
    )
    public static func replacing(_ name: String, in scope: RequestScope) -> CallKey { .replacing(name) }
}
