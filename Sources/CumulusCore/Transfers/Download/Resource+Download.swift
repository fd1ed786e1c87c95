// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// Downloads to a file with GET.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - options: Resuming, existing files, a range, a checksum.
    ///   - progress: Gets the progress of the download, where the bytes are processed; it must return quickly.
    /// - Returns: The file, complete and verified.
    /// - Throws: ``CumulusError`` and `CancellationError`, as described for the form with a ``DownloadDestination``.
    @discardableResult
    public func download(
        to file: some Locator,
        query: Query = [:],
        headers: Headers = [:],
        options: DownloadOptions = DownloadOptions(),
        progress: ProgressObserver? = nil
    ) async throws -> DownloadedFile {
        try await download(to: .file(file), query: query, headers: headers, options: options, progress: progress)
    }

    /// Downloads with GET to a file, to a directory with the server's file name, or to a temporary file.
    ///
    /// The bytes are written to a hidden file, `.NAME.<digits>.part`, beside the destination; the destination appears
    /// when all bytes are verified and on the disk. If a body breaks off, it is resumed there, provided that is safe. No content coding is
    /// requested. The request passes the same stages as all others: preflights, interceptors, authorizers, redirects,
    /// validators (of the head) and post-processors, whose value is the ``DownloadedFile``.
    ///
    /// - Parameters:
    ///   - destination: The destination of the bytes.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - options: Resuming, existing files, a range, a checksum.
    ///   - progress: Gets the progress of the download, where the bytes are processed; it must return quickly.
    /// - Returns: The file, complete and verified.
    /// - Throws: ``CumulusError``: ``CumulusError/Code/status`` with the first 64 KiB of the error's body,
    ///   ``CumulusError/Code/incomplete``, ``CumulusError/Code/checksum``, ``CumulusError/Code/remoteChanged``,
    ///   ``CumulusError/Code/disk``, ``CumulusError/Code/fileExists``, ``CumulusError/Code/fileInUse`` and those of any
    ///   request; `CancellationError` if the task is cancelled. The destination is then unchanged.
    @discardableResult
    public func download(
        to destination: DownloadDestination,
        query: Query = [:],
        headers: Headers = [:],
        options: DownloadOptions = DownloadOptions(),
        progress: ProgressObserver? = nil
    ) async throws -> DownloadedFile {
        let resource = telling(progress.map { [$0] } ?? [])
        let settings = resource.snapshot
        let draft = try RequestDraft(
            method: .get,
            resource: resource,
            settings: settings,
            query: query,
            headers: headers,
            payload: .none,
            wanted: nil
        )
        let links = DownloadLinks(of: resource, settings)
        let sink = FileSink(destination: destination, options: options, links: links)
        return try await settings.pipeline.run(draft, into: sink)
    }

    /// Prepares a download to a file, which can be started later, any number of times.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - options: Resuming, existing files, a range, a checksum.
    /// - Returns: A request for the file.
    public func prepareDownload(
        to file: some Locator,
        query: Query = [:],
        headers: Headers = [:],
        options: DownloadOptions = DownloadOptions()
    ) -> PreparedRequest<DownloadedFile> {
        prepareDownload(to: .file(file), query: query, headers: headers, options: options)
    }

    /// Prepares a download that can be started later, any number of times.
    ///
    /// ```swift
    /// let handle = site["data.tar"].prepareDownload(to: .directory("/tmp")).start()
    /// for await event in handle.progress { show(event) }
    /// let file = try await handle.value
    /// ```
    ///
    /// - Parameters:
    ///   - destination: The destination of the bytes.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - options: Resuming, existing files, a range, a checksum.
    /// - Returns: A request for the file.
    public func prepareDownload(
        to destination: DownloadDestination,
        query: Query = [:],
        headers: Headers = [:],
        options: DownloadOptions = DownloadOptions()
    ) -> PreparedRequest<DownloadedFile> {
        PreparedRequest(self) { start in
            try await self.started(start).download(
                to: destination,
                query: query,
                headers: headers,
                options: options
            )
        }
    }
}
