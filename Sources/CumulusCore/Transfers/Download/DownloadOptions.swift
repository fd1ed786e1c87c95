// SPDX-License-Identifier: Apache-2.0

/// Options of a download; with the defaults it is never wrong and overwrites no file.
public struct DownloadOptions: Sendable {
    /// What happens to an existing file at the destination.
    public enum ExistingFile: Sendable, Hashable {
        /// It is kept, and the download fails with ``CumulusError/Code/fileExists``.
        case refuse
        /// It is replaced, in one step and only by a whole download, which gets its permissions.
        ///
        /// A link is replaced itself; a directory, a device or a pipe is an error of code ``CumulusError/Code/disk``.
        case replace
        /// It is kept, and the new file's name is numbered: `data-1.tar`.
        case keepBoth
        /// It is kept and is the result, if it has the checksum that is asked for; where its name is known beforehand
        /// nothing is sent.
        case skip
        /// It is compared with the server's: one of the same length is left alone as with ``skip``, a shorter one is taken
        /// for the beginning of the server's and goes on from there.
        ///
        /// That holds where the server tells the file's length, and no later date than the file here has; an error of
        /// code ``CumulusError/Code/remoteChanged`` or ``CumulusError/Code/fileExists`` else. Bytes that are there are
        /// checked by only a ``DownloadOptions/checksum``: where that turns out wrong, all is obtained again.
        case extend
    }

    /// Gets a fresh URL where the old one answers 401, 403, 404 or 410, as links with an expiry do.
    ///
    /// It is given the error and returns the new URL, absolute or relative to the old one.
    public typealias Renewal = @Sendable (CumulusError) async throws -> String

    /// Whether the bytes of a broken or cancelled download are kept, and used by the next one with this option.
    ///
    /// They are kept beside the destination, as `NAME.part` and `NAME.part.json`, if the server told what the file is
    /// known by (a strong `ETag`, or a safe `Last-Modified`); the next download goes on only if that is still the same.
    /// Without this option what an earlier try left is forgotten. Not for ``DownloadDestination/temporary``. Default:
    /// false.
    public var resume = false
    /// Whether the bytes of a broken or cancelled download are kept for a later one although this one begins again.
    ///
    /// Default: false; ``resume`` keeps them, too.
    public var keepsPartial = false
    /// What happens to an existing file at the destination.
    ///
    /// Default: it is kept, and the download fails.
    public var existing = ExistingFile.refuse
    /// Which bytes of the file to get; a range that reaches beyond its end gets what there is.
    ///
    /// Default: all.
    public var range: Range<Int64>?
    /// The digest that the file must have; for a range, the range's bytes.
    ///
    /// Default: none. Digests that the server sends are checked in any case.
    public var checksum: Checksum?
    /// How many connections are used, all from the start; 1 is one stream.
    ///
    /// Default: `nil`, which begins with one and adds others for as long as that makes the whole faster, up to
    /// ``Settings/maxConcurrentChunks`` for each origin. Only where the server does ranges and tells what the file is
    /// known by.
    public var connections: Int?
    /// Other URLs of the same file, absolute or relative to the resource's: they share the work, and stand in where one
    /// fails.
    ///
    /// Each must tell the same length and the same entity tag or date; if a ``checksum`` is given, which covers the
    /// whole in the end, the length is enough. One that doesn't, or that fails, is left alone. Credentials stay with
    /// their origin. Default: none.
    public var mirrors: [String] = []
    /// Whether the file gets the server's `Last-Modified` as its time.
    ///
    /// Default: false.
    public var setsModificationTime = false
    /// Gets a fresh URL where a link has expired.
    ///
    /// Default: none.
    public var renewed: Renewal?

    /// Whether what has come outlasts an error.
    var keeps: Bool { resume || keepsPartial }

    /// Makes the default options.
    public init() {}

    /// Makes options; each is the property of its name.
    ///
    /// - Parameters:
    ///   - resume: Whether a broken download's bytes are kept, and used by the next one.
    ///   - keepsPartial: Whether they are kept although this download begins again.
    ///   - existing: What happens to a file that is there.
    ///   - range: Which bytes to get.
    ///   - checksum: The digest that the file must have.
    ///   - connections: How many connections are used; `nil` finds out.
    ///   - mirrors: Other URLs of the same file, as a string or as `URL`.
    ///   - setsModificationTime: Whether the file gets the server's `Last-Modified` as its time.
    ///   - renewed: Gets a fresh URL where a link has expired.
    public init(
        resume: Bool = false,
        keepsPartial: Bool = false,
        existing: ExistingFile = .refuse,
        range: Range<Int64>? = nil,
        checksum: Checksum? = nil,
        connections: Int? = nil,
        mirrors: [any Locator] = [],
        setsModificationTime: Bool = false,
        renewed: Renewal? = nil
    ) {
        self.resume = resume
        self.keepsPartial = keepsPartial
        self.existing = existing
        self.range = range
        self.checksum = checksum
        self.connections = connections
        self.mirrors = mirrors.map(\.locatorText)
        self.setsModificationTime = setsModificationTime
        self.renewed = renewed
    }
}
