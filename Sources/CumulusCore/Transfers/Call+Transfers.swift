// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Call where Output == Response {
    /// Sends the call and returns the response's body as it arrives, even while the request's own body is still being
    /// sent.
    ///
    /// ```swift
    /// let response = try await site["chat"].call(.post, .stream(questions)).stream()
    /// for try await piece in response { show(piece) }   // while questions are still sent
    /// ```
    ///
    /// Settings for values (validators, post-processors) don't apply to the response.
    ///
    /// - Parameter anyStatus: Whether to return an unsuccessful response as well, instead of throwing.
    /// - Returns: The response, with its body unread.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/status`` for an unsuccessful response and the first 64 KiB
    ///   of its body; `CancellationError` when the task is cancelled.
    public func stream(anyStatus: Bool = false) async throws -> ResponseStream {
        try checkUnchanged()
        return try await request.run(into: StreamSink(anyStatus: anyStatus), nil)
    }

    /// Sends the call and returns the response's body as it arrives, if its media type is one of `types`.
    ///
    /// The types are sent as `Accept`, unless the call or a setting has that field.
    ///
    /// - Parameter types: The media types, without their parameters; `text/*` means any text.
    /// - Returns: The response, with its body unread.
    /// - Throws: ``CumulusError``, as ``stream(anyStatus:)`` does. For a response of a different type, the error
    ///   contains the first 64 KiB of the body. It is the service's own error if one of
    ///   ``Resource/Settings/errorDecoders`` finds it there, otherwise ``CumulusError/Code/decoding``.
    public func stream(accepting types: MediaType...) async throws -> ResponseStream {
        var call = self
        let inherited = resource.snapshot.value(HeadersKey.self)
        if headers.isUnsaid(.accept), inherited.isUnsaid(.accept) {
            call.headers[.accept] = types.map(\.description).joined(separator: ", ")
        }
        let stream = try await call.stream()
        try await stream.require(types, within: resource.timeout, on: stream.clock)
        return stream
    }

    /// Creates a call that writes the response's body to a file.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - options: The options: resuming, existing files, a range, a checksum.
    /// - Returns: The call; see ``Resource/download(to:options:onProgress:)-(DownloadDestination,_,_)``.
    public func download(to file: some Locator, options: DownloadOptions = .init()) -> Call<DownloadedFile> {
        download(to: .file(file), options: options)
    }

    /// Creates a call that writes the response's body to a file, to a directory with the server's file name, or to a
    /// temporary file.
    ///
    /// - Parameters:
    ///   - destination: The destination of the bytes.
    ///   - options: The options: resuming, existing files, a range, a checksum.
    /// - Returns: The call; see ``Resource/download(to:options:onProgress:)-(DownloadDestination,_,_)``.
    public func download(
        to destination: DownloadDestination,
        options: DownloadOptions = .init()
    ) -> Call<DownloadedFile> {
        do { try checkUnchanged() } catch { return .failing(error, on: resource) }
        let made = CallOutput<DownloadedFile>.Made(wanted: nil, isExclusive: true) { request, start in
            guard request.method == .get else {
                let reason = "a download must use GET, not \(request.method.rawValue)"
                throw CumulusError(.invalidRequest, stage: .preflight, reason)
            }
            let links = DownloadLinks(of: request.resource, request.resource.snapshot)
            return try await request.run(
                into: FileSink(destination: destination, options: options, links: links),
                start
            )
        }
        return Call<DownloadedFile>(request, .made(made))
    }

    /// A converted response has no body of its own, so only the call itself can be streamed.
    private func checkUnchanged() throws {
        switch output {
        case .memory: break
        case .failure(let error): throw error
        case .made:
            let reason = "the call was converted by `map`; stream or download it without `map`"
            throw CumulusError(.invalidRequest, stage: .preflight, reason)
        }
    }
}
