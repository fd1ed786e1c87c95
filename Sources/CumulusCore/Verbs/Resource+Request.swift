// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Sends a request and returns the body as a stream.
    ///
    /// Settings for values (validators, post-processors) don't apply to it.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: The request's body.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - anyStatus: Whether to return an unsuccessful response as well, instead of throwing.
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
        let draft = try draft(method, payload, query, headers, wanted: nil, !anyStatus, settings, pipeline)
        return try await pipeline.run(draft, into: StreamSink(anyStatus: anyStatus))
    }

    /// Sends a request with a method given by name and returns the body as a stream.
    public func bytes(
        _ method: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        anyStatus: Bool = false
    ) async throws -> ResponseStream {
        try await bytes(token(method), payload, query: query, headers: headers, anyStatus: anyStatus)
    }

    func run<Output: Sendable>(
        _ method: HTTPRequest.Method,
        _ payload: Payload,
        _ query: Query,
        _ headers: Headers,
        wanted: (any Any.Type)?,
        as form: ResponseForm<Output>
    ) async throws -> Output {
        let settings = snapshot
        let pipeline = settings.pipeline
        let draft = try draft(
            method,
            payload,
            query,
            headers,
            wanted: wanted,
            form.needsSuccess,
            settings,
            pipeline
        )
        return try await pipeline.run(draft, into: MemorySink(form: form))
    }

    /// Sends a request, decodes the response as one type, and returns the post-processors' value.
    func convert<Source: Decodable & Sendable, Output: Sendable>(
        _ method: HTTPRequest.Method,
        _ payload: Payload,
        _ query: Query,
        _ headers: Headers,
        of source: Source.Type
    ) async throws -> Output {
        let settings = snapshot
        let pipeline = settings.pipeline
        let draft = try draft(method, payload, query, headers, wanted: source, true, settings, pipeline)
        return try await pipeline.run(draft, into: ConversionSink<Source, Output>())
    }

    private func draft(
        _ method: HTTPRequest.Method,
        _ payload: Payload,
        _ query: Query,
        _ headers: Headers,
        wanted: (any Any.Type)?,
        _ wantsValue: Bool,
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
            wanted: wanted,
            wantsValue: wantsValue
        )
    }
}
