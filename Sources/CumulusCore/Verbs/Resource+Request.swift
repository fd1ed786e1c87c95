// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Sends a request with any method.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: What the request carries.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func request(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        try await run(method, payload, query, headers, wanted: nil, as: .whole)
    }

    /// Sends a request with any method and decodes the answer.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: What the request carries.
    ///   - type: What to make of the body of a successful response.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func request<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Value {
        try await run(method, payload, query, headers, wanted: type, as: .value(type))
    }

    /// Sends a request with any method and asks for nothing but success.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func request(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws {
        try await run(method, payload, query, headers, wanted: nil, as: .success)
    }

    /// Sends a request and hands over the body as it comes.
    ///
    /// Settings for values (validators, post-processors) see nothing of it.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: What the request carries.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    ///   - anyStatus: Whether an unsuccessful response is handed over as it comes, too; otherwise it is thrown.
    /// - Returns: The response, its body unread.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response and the first 64 KiB
    ///   of its body; `CancellationError` when the task is cancelled.
    public func bytes(
        _ method: HTTPRequest.Method = .get,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        let settings = snapshot
        let pipeline = settings.pipeline
        let draft = try draft(method, payload, query, headers, wanted: nil, settings, pipeline)
        return try await pipeline.run(draft, into: StreamSink(anyStatus: anyStatus))
    }

    /// Sends a request made elsewhere, with this resource's settings beneath it.
    ///
    /// The request's own URL says where it goes; at another origin than this resource's only harmless settings go
    /// along, as for ``follow(_:)``.
    ///
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func send(_ request: HTTPRequest, body: RequestBody = .none) async throws -> Response {
        guard let scheme = request.scheme, let authority = request.authority else {
            throw CumulusError(.invalidURL, stage: .addressing, "the raw request lacks its scheme or its authority")
        }
        let url: RequestURL
        do {
            url = try RequestURL(scheme: scheme, authority: authority, target: request.path ?? "/")
        } catch {
            throw CumulusError(.invalidURL, stage: .addressing, error.description, cause: error)
        }
        return try await follow(url).request(request.method, .raw(body), headers: Headers(request.headerFields))
    }

    private func run<Output: Sendable>(
        _ method: HTTPRequest.Method,
        _ payload: Payload,
        _ query: Query,
        _ headers: Headers,
        wanted: (any Any.Type)?,
        as form: ResponseForm<Output>
    ) async throws -> Output {
        let settings = snapshot
        let pipeline = settings.pipeline
        let draft = try draft(method, payload, query, headers, wanted: wanted, settings, pipeline)
        return try await pipeline.run(draft, into: MemorySink(form: form))
    }

    private func draft(
        _ method: HTTPRequest.Method,
        _ payload: Payload,
        _ query: Query,
        _ headers: Headers,
        wanted: (any Any.Type)?,
        _ settings: SettingsSnapshot,
        _ pipeline: RequestPipeline
    ) throws -> RequestDraft {
        try RequestDraft(
            method: method,
            resource: self,
            settings: settings,
            pipeline: pipeline,
            query: query,
            headers: headers,
            payload: payload,
            wanted: wanted
        )
    }
}
