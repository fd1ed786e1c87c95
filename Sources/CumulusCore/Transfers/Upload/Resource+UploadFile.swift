// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Uploads a file, which is read while it is sent and never held whole.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL; see ``Payload/file(_:type:)`` for what can be wrong with it, and when that is told.
    ///   - method: The method. Default: PUT.
    ///   - contentType: What the file holds. Default: by its extension.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    ///   - progress: Is told how far the body has come: bytes that the transport has taken. Called where the bytes are,
    ///     at most 10 times a second.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
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

    /// Uploads a file, which is read while it is sent and never held whole, and decodes the answer.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL; see ``Payload/file(_:type:)`` for what can be wrong with it, and when that is told.
    ///   - type: What to make of the body of a successful response.
    ///   - method: The method. Default: PUT.
    ///   - contentType: What the file holds. Default: by its extension.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    ///   - progress: Is told how far the body has come: bytes that the transport has taken. Called where the bytes are,
    ///     at most 10 times a second.
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

    /// Uploads a file, which is read while it is sent and never held whole, and asks for nothing but success.
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
