// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Uploads a file, bytes, a stream or a form with a method given by name.
    ///
    /// - Parameters:
    ///   - payload: The content: `.file(url)`, `.bytes(data)`, `.stream(chunks, length: n)`, `.multipart(form)`, ...
    ///   - method: The method's name, which is case-sensitive; if it is not a token, the upload throws
    ///     ``CumulusError/Code/invalidRequest``.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - progress: Gets the progress of the body: the bytes that the transport has taken.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` if the task is cancelled.
    public func upload(
        _ payload: Payload,
        method: String,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        try await upload(payload, method: token(method), query: query, headers: headers, progress: progress)
    }

    /// Uploads a file, bytes, a stream or a form with a method given by name, and decodes the response.
    public func upload<Value: Decodable & Sendable>(
        _ payload: Payload,
        as type: Value.Type,
        method: String,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Value {
        try await upload(payload, as: type, method: token(method), query: query, headers: headers, progress: progress)
    }

    /// Uploads a file, bytes, a stream or a form with a method given by name, and requires success.
    public func upload(
        _ payload: Payload,
        as type: Void.Type,
        method: String,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws {
        try await upload(payload, as: type, method: token(method), query: query, headers: headers, progress: progress)
    }

    /// Uploads a file with a method given by name.
    public func upload(
        file: some Locator,
        method: String,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        let payload = Payload.file(file, type: contentType)
        return try await upload(payload, method: method, query: query, headers: headers, progress: progress)
    }

    /// Uploads a file with a method given by name, and decodes the response.
    public func upload<Value: Decodable & Sendable>(
        file: some Locator,
        as type: Value.Type,
        method: String,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Value {
        let payload = Payload.file(file, type: contentType)
        return try await upload(payload, as: type, method: method, query: query, headers: headers, progress: progress)
    }

    /// Uploads a file with a method given by name, and requires success.
    public func upload(
        file: some Locator,
        as type: Void.Type,
        method: String,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws {
        let payload = Payload.file(file, type: contentType)
        try await upload(payload, as: type, method: method, query: query, headers: headers, progress: progress)
    }
}
