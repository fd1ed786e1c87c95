// SPDX-License-Identifier: Apache-2.0

/// The protocol by which a server receives an upload in pieces and reports how much of it has arrived.
public struct UploadProtocol: Sendable {
    enum Kind: Sendable {
        case offsets(any OffsetDialect)
        case s3(S3Settings)
    }

    let kind: Kind

    /// Returns the protocol tus 1.0 (https://tus.io/protocols/resumable-upload).
    ///
    /// Upload to the resource that creates uploads.
    ///
    /// The server's extensions are requested with OPTIONS. If it verifies checksums, each piece is sent with one. If it
    /// lets clients remove uploads, an upload that can no longer be used is removed.
    ///
    /// - Parameter metadata: The upload's description for the server. Names contain only ASCII characters, without
    ///   spaces or commas. `filename` and `filetype` are added for a file, unless they are set here.
    /// - Returns: The protocol.
    public static func tus(metadata: [String: String] = [:]) -> Self {
        Self(kind: .offsets(TusDialect(metadata)))
    }

    /// tus 1.0, with the file's name and media type as its metadata.
    public static let tus = UploadProtocol.tus()

    /// Returns the protocol for multipart uploads to Amazon S3 and compatible stores.
    ///
    /// Upload to the resource of the object; its authorizers sign the requests.
    ///
    /// A file of at most one part is sent with a single PUT. The parts have the size ``UploadOptions/chunkSize``, but
    /// at least 5 MiB, or more if there would be more than 10,000 parts. Each is sent with its SHA-256, which the store
    /// verifies.
    ///
    /// If the store refuses the upload, or the file changes, the parts are removed; after any other error they remain,
    /// so that the upload can be continued, until `Resource.abandonUpload(of:by:options:)` or a rule of
    /// the bucket removes them.
    ///
    /// - Parameter concurrency: The number of parts that are sent at a time, at least 1.
    /// - Returns: The protocol.
    public static func s3(concurrency: Int = 4) -> Self { Self(kind: .s3(S3Settings(concurrency: concurrency))) }

    /// Multipart uploads to Amazon S3 and compatible stores, four parts at a time.
    public static let s3 = UploadProtocol.s3()

    /// Resumable Uploads for HTTP, an Internet-Draft that may still change: draft-ietf-httpbis-resumable-upload-11.
    ///
    /// It is used only if the server announces it, with `Upload-Limit` in its response to OPTIONS; otherwise the upload
    /// fails with `CumulusError.Code.unsupported` before anything is sent.
    public static let ietfDraft = UploadProtocol(kind: .offsets(DraftDialect()))

    /// The protocol's name and settings for records; uploads that differ in them don't share a record.
    var parts: [String] {
        switch kind {
        case .offsets(let dialect): dialect.parts
        case .s3: ["s3"]
        }
    }
}
