// SPDX-License-Identifier: Apache-2.0

/// The options of a download.
///
/// With the defaults, the file is always correct, and no file is overwritten.
public struct DownloadOptions: Sendable {
    /// How an existing file at the destination is treated.
    public enum ExistingFile: Sendable, Hashable {
        /// The existing file is kept, and the download fails with ``CumulusError/Code/fileExists``.
        case refuse
        /// The existing file is replaced atomically, and only by a complete download. The new file receives the old
        /// file's permissions.
        ///
        /// If the existing file is a symbolic link to a file, the link itself is replaced. A directory, a device, a
        /// pipe, or a symbolic link to one of them causes an error with code ``CumulusError/Code/disk``.
        case replace
        /// The existing file is kept, and the new file's name is numbered: `data-1.tar`.
        case keepBoth
        /// The existing file is kept, and becomes the result if it has the requested checksum. If its name is known in
        /// advance, nothing is sent.
        case skip
        /// The existing file is compared with the server's file by length and digests: a ``DownloadOptions/checksum``,
        /// and the server's digests.
        ///
        /// A file of the same length is kept if it has these digests, or if no digest is known
        /// (``DownloadedFile/isKept``). If its digests differ, the server's file is downloaded and replaces it. A
        /// shorter file is used as the beginning of the server's file if a digest will verify the whole: only the
        /// remaining bytes are requested. If the digest of the complete file doesn't match, the whole file is
        /// downloaded again. Without a digest, nothing shows that a shorter file is the beginning: the whole file is
        /// downloaded, and replaces it once it is complete (``DownloadedFile/replacedByteCount``). The server must
        /// report the file's length and, unless the digests match, must not report a modification date later than the
        /// local file's. Otherwise, the download fails with ``CumulusError/Code/remoteChanged`` or
        /// ``CumulusError/Code/fileExists``.
        case extend
    }

    /// A function that returns a fresh URL after a response with 401, 403, 404 or 410, which may mean that the old URL
    /// has expired.
    ///
    /// The function receives the error. The URL that it returns may be absolute, or relative to the old one, and must
    /// lead to the same file.
    public typealias Renewal = @Sendable (CumulusError) async throws -> String

    /// Whether the bytes of a broken or cancelled download are kept, and used by the next download with this option.
    ///
    /// They are kept next to the file, in a hidden file `.NAME.<digits>.part` with its record, if the server sent a
    /// revision (a strong `ETag`, or a safe `Last-Modified`). The next download resumes only if the revision is still
    /// the same, and if the request is sent for the same user over the same route (``StorePartition``). Without this
    /// option, the bytes of an earlier attempt are discarded. It has no effect for ``DownloadDestination/temporary``.
    /// Default: false.
    public var resume = false
    /// Whether the bytes of a broken or cancelled download are kept for a later one, even though this download starts
    /// over.
    ///
    /// Default: false; ``resume`` keeps them as well.
    public var keepsPartial = false
    /// How an existing file at the destination is treated.
    ///
    /// Default: it is kept, and the download fails.
    public var existing = ExistingFile.refuse
    /// Whether a shorter file is continued even without a digest, if its end matches the server's file
    /// (``ExistingFile/extend``).
    ///
    /// Use it for a file that another program has begun. Its last 64 KiB are requested again and compared, and the
    /// bytes before them are trusted. If any byte differs, or if the server's file has no revision, the download fails
    /// with ``CumulusError/Code/remoteChanged``, and the file stays as it was. Default: false.
    public var trustsBeginning = false
    /// The range of bytes to download.
    ///
    /// A range that extends beyond the file's end is cut off there.
    ///
    /// Default: all.
    public var range: Range<Int64>?
    /// The digest that the file must have.
    ///
    /// With a range, it is the digest of the range's bytes.
    ///
    /// Default: none. Digests that the server sends are always verified.
    public var checksum: Checksum?
    /// The number of connections, all used from the start; 1 means one stream.
    ///
    /// Default: `nil`, which begins with one and adds others as long as that makes the download faster, up to
    /// ``DownloadChunks/maxConcurrent``. This requires a server that supports ranges and sends a revision.
    public var connections: Int?
    /// Whether the file's modification time is set to the server's `Last-Modified`.
    ///
    /// Default: false.
    public var setsModificationTime = false
    /// A function that returns a fresh URL if a link has expired.
    ///
    /// Default: none.
    public var renewed: Renewal?

    /// The files of the downloads that run together with this one: it doesn't replace them, nor take one for its own.
    package var filesInUse: FilesInUse?

    /// Whether received bytes are kept after an error.
    var keeps: Bool { resume || keepsPartial }

    /// Creates the default options.
    public init() {}

    /// Creates options; each parameter sets the property of the same name.
    ///
    /// - Parameters:
    ///   - resume: Whether a broken download's bytes are kept, and used by the next one.
    ///   - keepsPartial: Whether a broken download's bytes are kept even though this download starts over.
    ///   - existing: How an existing file is treated.
    ///   - range: The range of bytes to download.
    ///   - checksum: The digest that the file must have.
    ///   - connections: The number of connections; `nil` determines it automatically.
    ///   - setsModificationTime: Whether the file's modification time is set to the server's `Last-Modified`.
    ///   - renewed: A function that returns a fresh URL if a link has expired.
    public init(
        resume: Bool = false,
        keepsPartial: Bool = false,
        existing: ExistingFile = .refuse,
        range: Range<Int64>? = nil,
        checksum: Checksum? = nil,
        connections: Int? = nil,
        setsModificationTime: Bool = false,
        renewed: Renewal? = nil
    ) {
        self.resume = resume
        self.keepsPartial = keepsPartial
        self.existing = existing
        self.range = range
        self.checksum = checksum
        self.connections = connections
        self.setsModificationTime = setsModificationTime
        self.renewed = renewed
    }
}
