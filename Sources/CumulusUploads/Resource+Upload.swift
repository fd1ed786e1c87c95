// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

extension Resource {
    /// Uploads a file; if interrupted, the upload can be resumed, even after the end of the process.
    ///
    /// It is the same as `prepareUpload(...).send()`.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - uploadProtocol: The server's protocol.
    ///   - options: The options: resuming, the size of pieces, the folder for records.
    ///   - onProgress: Receives the number of bytes that the server has acknowledged. It must return quickly.
    /// - Returns: The complete upload.
    /// - Throws: `CumulusError` and `CancellationError`, as described for
    ///   `prepareUpload(_:by:options:)`.
    @discardableResult
    public func upload(
        _ file: some Locator,
        by uploadProtocol: UploadProtocol,
        options: UploadOptions = .init(),
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> UploadedFile {
        try await prepareUpload(file, by: uploadProtocol, options: options).send(reporting: onProgress)
    }

    /// Creates a call for a file upload that can be resumed.
    ///
    /// ```swift
    /// let upload = site["files"].prepareUpload("film.mov", by: .tus).start()
    /// upload.pause()  // the connection is closed; the server keeps the bytes
    /// upload.resume()  // sends those that the server doesn't have
    /// let film = try await upload.value
    /// ```
    ///
    /// A small private record of the upload is kept until it is complete (``UploadOptions/records``). If the upload is
    /// interrupted, by an error, a cancellation, or the end of the process, the next upload of the same file to the
    /// same resource requests the number of bytes that have arrived, and sends the remaining bytes. An interruption
    /// while the process runs is handled in the same way, within the limits of `RetryPolicy`.
    ///
    /// An upload is continued only with the same query, header fields and metadata, for the same user, and over the
    /// same route. A user that is recognized only within one process (`StorePartition.isLasting` is false) can't
    /// continue an upload in the next process.
    ///
    /// The request that creates the upload has the call's header fields and query items. Later requests at the same
    /// origin have only the header fields. An `Idempotency-Key` is not sent, since it would let requests be
    /// repeated regardless of the server's offset. `Resource.Settings.deadline` limits the whole upload.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - uploadProtocol: The server's protocol.
    ///   - options: The options: resuming, the size of pieces, the folder for records.
    /// - Returns: The call. It throws `CumulusError`: `CumulusError.Code.fileInUse` if another upload of the file to
    ///   the same resource is running, in any process; `CumulusError.Code.requestBody` if the file can't be read or
    ///   changes; `CumulusError.Code.disk` if there is no space for the record, before anything is sent;
    ///   `CumulusError.Code.remoteChanged` if the server reports bytes that were not sent;
    ///   `CumulusError.Code.redirectRefused` if the upload is at a different origin and
    ///   `RedirectPolicy.sendsBodiesToOtherOrigins` is false; `CumulusError.Code.incomplete` if the attempts to resume
    ///   failed; and the errors of any request.
    public func prepareUpload(
        _ file: some Locator,
        by uploadProtocol: UploadProtocol,
        options: UploadOptions = .init()
    ) -> Call<UploadedFile> {
        let path = file.locatorText
        return Call<UploadedFile>(withOwnProgressOn: self, .post) { call, progress in
            try await FileUpload(path, uploadProtocol, UploadRun(call, options, progress)).send()
        }
    }

    /// Uploads the bytes of an async sequence, which may be of unknown length.
    ///
    /// Each piece stays in memory until the server has acknowledged it, so an upload that is interrupted while the
    /// process runs can be resumed. No record is kept, since the bytes don't survive the process.
    ///
    /// - Parameters:
    ///   - chunks: The bytes.
    ///   - uploadProtocol: The server's protocol: tus with the extension `creation-defer-length`, or the IETF draft.
    ///   - options: The size of pieces; the other options have no effect.
    ///   - onProgress: Receives the number of bytes that the server has acknowledged. It must return quickly.
    /// - Returns: The complete upload.
    /// - Throws: `CumulusError` and `CancellationError`, as for a file, and the errors of the sequence.
    @discardableResult
    public func upload<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        by uploadProtocol: UploadProtocol,
        options: UploadOptions = .init(),
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> UploadedFile where Chunks.Element: ByteStorage {
        let call = Call<UploadedFile>(withOwnProgressOn: self, .post) { call, progress in
            let run = UploadRun(call, options, progress)
            guard case .offsets(let dialect) = uploadProtocol.kind else {
                throw run.problem(.unsupported, "S3 needs a file, not a stream: write the stream to a file first")
            }
            var upload = OffsetUpload(StreamSource(chunks), dialect, run)
            return try await upload.send()
        }
        return try await call.send(reporting: onProgress)
    }

    /// Abandons an interrupted upload of a file: removes it from the server, and then removes its record.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - uploadProtocol: The server's protocol.
    ///   - options: The folder for records.
    /// - Returns: Whether there was such an upload.
    /// - Throws: `CumulusError`: `CumulusError.Code.fileInUse` while the upload is running; and the errors of any
    ///   request, in which case the record is kept.
    @discardableResult
    public func abandonUpload(
        of file: some Locator,
        by uploadProtocol: UploadProtocol,
        options: UploadOptions = .init()
    ) async throws -> Bool {
        try await prepareAbandoningUpload(of: file, by: uploadProtocol, options: options).send()
    }

    /// Creates a call that abandons an interrupted upload of a file, for an upload whose call had query items or header
    /// fields; the new call needs the same query items and header fields.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - uploadProtocol: The server's protocol, with the same metadata.
    ///   - options: The folder for records.
    /// - Returns: The call, whose value indicates whether there was such an upload; it throws the same errors as
    ///   `abandonUpload(of:by:options:)`.
    public func prepareAbandoningUpload(
        of file: some Locator,
        by uploadProtocol: UploadProtocol,
        options: UploadOptions = .init()
    ) -> Call<Bool> {
        let path = file.locatorText
        return Call<Bool>(withOwnProgressOn: self, .delete) { call, progress in
            try await FileUpload(path, uploadProtocol, UploadRun(call, options, progress)).abandon()
        }
    }
}

extension RunningCall where Output == UploadedFile {
    /// Whether the upload is paused.
    public var isPaused: Bool { isSuspended }

    /// Stops the upload and keeps its record; nothing is reported, and tasks that wait for the `value` continue to
    /// wait.
    ///
    /// The connection is closed, so a pause may last as long as the server keeps the upload. `cancel(_:)` ends a paused
    /// upload; after the end of the upload, this method does nothing.
    public func pause() { suspend() }

    /// Resumes a paused upload with the bytes that the server doesn't have.
    ///
    /// It does nothing unless the upload is paused.
    public func resume() { proceed() }
}
