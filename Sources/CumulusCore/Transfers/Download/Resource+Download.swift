// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Downloads to a file with GET; the same as `call(.get).download(to: file).send()`.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - options: The options: resuming, existing files, a range, a checksum.
    ///   - onProgress: Receives the progress of the download, in the context in which the bytes are processed. It must
    ///     return quickly.
    /// - Returns: The file, complete and verified.
    /// - Throws: ``CumulusError`` and `CancellationError`, as described for the overload with a
    ///   ``DownloadDestination``.
    @discardableResult
    public func download(
        to file: some Locator,
        options: DownloadOptions = .init(),
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        try await download(to: .file(file), options: options, onProgress: onProgress)
    }

    /// Downloads with GET to a file, to a directory with the server's file name, or to a temporary file.
    ///
    /// The bytes are written to a hidden file, `.NAME.<digits>.part`, next to the destination, which appears when all
    /// bytes are verified and on disk. If the body is interrupted, it is resumed there if that is safe. No content
    /// coding is requested. The request goes through the same stages as all others: preflights, interceptors,
    /// authorizers, redirects, validators (of the head) and post-processors, whose value is the ``DownloadedFile``.
    ///
    /// A download with its own query or headers is a call: `call(.get, query: query).download(to: file).send()`.
    ///
    /// - Parameters:
    ///   - destination: The destination of the bytes.
    ///   - options: The options: resuming, existing files, a range, a checksum.
    ///   - onProgress: Receives the progress of the download, in the context in which the bytes are processed. It must
    ///     return quickly.
    /// - Returns: The file, complete and verified.
    /// - Throws: ``CumulusError``: ``CumulusError/Code/status`` with the first 64 KiB of the error's body,
    ///   ``CumulusError/Code/incomplete``, ``CumulusError/Code/checksum``, ``CumulusError/Code/remoteChanged``,
    ///   ``CumulusError/Code/disk``, ``CumulusError/Code/fileExists``, ``CumulusError/Code/fileInUse`` and those of any
    ///   request; `CancellationError` if the task is cancelled. The destination is then unchanged.
    @discardableResult
    public func download(
        to destination: DownloadDestination,
        options: DownloadOptions = .init(),
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        let call = call(.get).download(to: destination, options: options)
        return try await call.send(onProgress.map { CallBeginning(progress: $0) })
    }
}

extension RunningCall where Output == DownloadedFile {
    /// Whether the download is paused.
    public var isPaused: Bool { isSuspended }

    /// Stops the download and keeps the received bytes; nothing is reported, and tasks that wait for the ``value``
    /// continue to wait.
    ///
    /// The connection is closed, so a pause may last as long as you like. Without ``DownloadOptions/resume``,
    /// ``resume()`` starts over. ``cancel(_:)`` ends a paused download; after the end of the download, this method does
    /// nothing. To pause other requests, including uploads, while their connections stay open, set a ``Bandwidth`` of
    /// 0.
    public func pause() { suspend() }

    /// Resumes a paused download where it stopped, if the file on the server is unchanged; otherwise from its
    /// beginning.
    ///
    /// It does nothing unless the download is paused.
    public func resume() { proceed() }
}
