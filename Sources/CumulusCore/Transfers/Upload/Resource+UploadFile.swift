// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Uploads a file, which is read while it is sent and never held in memory as a whole.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL; ``Payload/file(_:type:)`` describes its errors.
    ///   - method: The method. Default: PUT.
    ///   - contentType: The media type. Default: by the file's extension.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - progress: Gets the progress of the body: the bytes that the transport has taken. Called where the bytes are
    ///     processed, at most 10 times a second.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` if the task is cancelled.
    public func upload(
        file: some Locator,
        method: HTTPRequest.Method = .put,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        try await upload(
            .file(file, type: contentType),
            method: method,
            query: query,
            headers: headers,
            progress: progress
        )
    }

    /// Uploads a file, which is read while it is sent and never held in memory as a whole, and decodes the response.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL; ``Payload/file(_:type:)`` describes its errors.
    ///   - type: The type to decode from the body of a successful response.
    ///   - method: The method. Default: PUT.
    ///   - contentType: The media type. Default: by the file's extension.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - progress: Gets the progress of the body: the bytes that the transport has taken. Called where the bytes are
    ///     processed, at most 10 times a second.
    /// - Returns: The decoded, post-processed value.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func upload<Value: Decodable & Sendable>(
        file: some Locator,
        as type: Value.Type,
        method: HTTPRequest.Method = .put,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Value {
        try await upload(
            .file(file, type: contentType),
            as: type,
            method: method,
            query: query,
            headers: headers,
            progress: progress
        )
    }

    /// Uploads a file, which is read while it is sent and never held in memory as a whole, and requires success.
    ///
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response; `CancellationError`
    ///   when the task is cancelled.
    public func upload(
        file: some Locator,
        as type: Void.Type,
        method: HTTPRequest.Method = .put,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws {
        try await upload(
            .file(file, type: contentType),
            as: type,
            method: method,
            query: query,
            headers: headers,
            progress: progress
        )
    }
}
