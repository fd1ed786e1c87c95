// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Uploads a file, bytes, a stream or a form.
    ///
    /// - Parameters:
    ///   - payload: The content: `.file(url)`, `.bytes(data)`, `.stream(chunks, length: n)`, `.multipart(form)`, ...
    ///   - method: The method. Default: PUT for a file, POST for anything else.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - progress: Gets the progress of the body: the bytes that the transport has taken. Called where the bytes are
    ///     processed, at most 10 times a second.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` if the task is cancelled.
    public func upload(
        _ payload: Payload,
        method: HTTPRequest.Method? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        let method = method ?? payload.uploadMethod
        return try await telling(uploads: progress).request(method, payload, query: query, headers: headers)
    }

    /// Uploads a file, bytes, a stream or a form and decodes the response.
    ///
    /// - Parameters:
    ///   - payload: The content: `.file(url)`, `.bytes(data)`, `.stream(chunks, length: n)`, `.multipart(form)`, ...
    ///   - type: The type to decode from the body of a successful response.
    ///   - method: The method. Default: PUT for a file, POST for anything else.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - progress: Gets the progress of the body: the bytes that the transport has taken. Called where the bytes are
    ///     processed, at most 10 times a second.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func upload<Value: Decodable & Sendable>(
        _ payload: Payload,
        as type: Value.Type,
        method: HTTPRequest.Method? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Value {
        let method = method ?? payload.uploadMethod
        return try await telling(uploads: progress).request(method, payload, as: type, query: query, headers: headers)
    }

    /// Uploads a file, bytes, a stream or a form and requires success.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func upload(
        _ payload: Payload,
        as type: Void.Type,
        method: HTTPRequest.Method? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws {
        let method = method ?? payload.uploadMethod
        try await telling(uploads: progress).request(method, payload, as: type, query: query, headers: headers)
    }
}

extension Payload {
    /// The upload's method: a file is put at its place, anything else is posted.
    var uploadMethod: HTTPRequest.Method { isFile ? .put : .post }
}

extension Resource {
    /// This resource, with an observer of the upload's progress.
    func telling(uploads observer: ProgressObserver?) -> Resource {
        guard let observer else { return self }
        return with { settings in
            settings.progressObservers.append { event in if event.direction == .sending { observer(event) } }
        }
    }
}
