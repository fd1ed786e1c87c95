// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

extension REST {
    /// Downloads to a file, which stands whole and checked at its destination or not at all.
    ///
    /// - Parameters:
    ///   - url: Where from.
    ///   - destination: Where the bytes go: a file, or a directory for which the server may propose a name.
    ///   - query: Query items, merged over those of the URL.
    ///   - headers: Header fields, merged over those of ``defaults``.
    ///   - options: Resuming, several connections, a range, a checksum.
    ///   - progress: Gets the progress of the download, where the bytes are processed; it must return quickly.
    /// - Returns: The file.
    /// - Throws: `CumulusError`, as `Resource.download` does, or `CancellationError` when the task is cancelled.
    @discardableResult
    public static func download(
        _ url: some Locator,
        to destination: DownloadDestination,
        query: Query = [:],
        headers: Headers = [:],
        options: DownloadOptions = DownloadOptions(),
        progress: ProgressObserver? = nil
    ) async throws -> DownloadedFile {
        try await resource(url).download(
            to: destination,
            query: query,
            headers: headers,
            options: options,
            progress: progress
        )
    }

    /// Downloads to a file by its path or its `file:` URL.
    ///
    /// - Parameters:
    ///   - url: Where from.
    ///   - file: The file's path or its `file:` URL.
    ///   - query: Query items, merged over those of the URL.
    ///   - headers: Header fields, merged over those of ``defaults``.
    ///   - options: Resuming, several connections, a range, a checksum.
    ///   - progress: Gets the progress of the download, where the bytes are processed; it must return quickly.
    /// - Returns: The file.
    /// - Throws: `CumulusError`, as `Resource.download` does, or `CancellationError` when the task is cancelled.
    @discardableResult
    public static func download(
        _ url: some Locator,
        to file: some Locator,
        query: Query = [:],
        headers: Headers = [:],
        options: DownloadOptions = DownloadOptions(),
        progress: ProgressObserver? = nil
    ) async throws -> DownloadedFile {
        try await download(
            url,
            to: .file(file),
            query: query,
            headers: headers,
            options: options,
            progress: progress
        )
    }

    /// Uploads a file, which is read while it is sent and never held whole.
    ///
    /// - Parameters:
    ///   - url: Where to.
    ///   - file: The file's path or its `file:` URL.
    ///   - method: The method. Default: PUT.
    ///   - contentType: What the file holds. Default: by its extension.
    ///   - query: Query items, merged over those of the URL.
    ///   - headers: Header fields, merged over those of ``defaults``.
    ///   - progress: Gets how far the body has come, where the bytes are; it must return quickly.
    /// - Returns: The response, whatever its status.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func upload(
        _ url: some Locator,
        file: some Locator,
        method: HTTPRequest.Method = .put,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        try await resource(url).upload(
            file: file,
            method: method,
            type: contentType,
            query: query,
            headers: headers,
            progress: progress
        )
    }

    /// Uploads a file, bytes, a stream or a form.
    ///
    /// - Parameters:
    ///   - url: Where to.
    ///   - payload: What is sent: `.bytes(data)`, `.stream(chunks, length: n)`, `.multipart(form)`, ...
    ///   - method: The method. Default: PUT for a file, POST for anything else.
    ///   - query: Query items, merged over those of the URL.
    ///   - headers: Header fields, merged over those of ``defaults``.
    ///   - progress: Gets how far the body has come, where the bytes are; it must return quickly.
    /// - Returns: The response, whatever its status.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public static func upload(
        _ url: some Locator,
        _ payload: Payload,
        method: HTTPRequest.Method? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        try await resource(url).upload(payload, method: method, query: query, headers: headers, progress: progress)
    }

    /// Uploads a file with a method given by name.
    ///
    /// - Throws: As with a method, and `CumulusError` for a name that is not a token.
    public static func upload(
        _ url: some Locator,
        file: some Locator,
        method: String,
        type contentType: MediaType? = nil,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        try await resource(url).upload(
            file: file,
            method: method,
            type: contentType,
            query: query,
            headers: headers,
            progress: progress
        )
    }

    /// Uploads a file, bytes, a stream or a form with a method given by name.
    ///
    /// - Throws: As with a method, and `CumulusError` for a name that is not a token.
    public static func upload(
        _ url: some Locator,
        _ payload: Payload,
        method: String,
        query: Query = [:],
        headers: Headers = [:],
        progress: ProgressObserver? = nil
    ) async throws -> Response {
        try await resource(url).upload(payload, method: method, query: query, headers: headers, progress: progress)
    }
}
