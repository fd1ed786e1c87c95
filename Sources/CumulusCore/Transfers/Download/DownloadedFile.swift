// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file that was downloaded whole, and what is known of it.
public struct DownloadedFile: Sendable, ExclusiveOutput {
    /// Where it is.
    public let path: String
    /// The response that brought it, the last one where several did; its bytes are in the file, not here.
    ///
    /// `nil` if an existing file was left alone and nothing was sent.
    public let response: Response?
    /// How many bytes the file has.
    public let byteCount: Int64
    /// How many of them an earlier download had brought.
    public let resumedByteCount: Int64
    /// The digests that it was found to have: of the head's fields, and the one that was asked for.
    public let verifiedChecksums: [Checksum]
    /// Which part of the representation it is; `nil` for the whole.
    public let contentRange: ContentRange?
    private let owner: TemporaryFile?

    init(
        path: String,
        response: Response?,
        byteCount: Int64,
        resumedByteCount: Int64 = 0,
        verifiedChecksums: [Checksum] = [],
        contentRange: ContentRange? = nil,
        owner: TemporaryFile? = nil
    ) {
        self.path = path
        self.response = response
        self.byteCount = byteCount
        self.resumedByteCount = resumedByteCount
        self.verifiedChecksums = verifiedChecksums
        self.contentRange = contentRange
        self.owner = owner
    }

    /// Where it is.
    public var url: URL { URL(fileURLWithPath: path) }

    /// Whether it goes when this value and its copies do, unless it is moved first.
    public var isTemporary: Bool { owner != nil }

    /// Moves the file to a place of its own; from another file system it is copied.
    ///
    /// - Parameters:
    ///   - file: The new path, or the `file:` URL; its directory must be there.
    ///   - replacing: Whether a file that is there may be replaced. Default: false.
    /// - Returns: The file at its new place.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/fileExists`` or ``CumulusError/Code/disk``.
    @discardableResult
    public func move(to file: some Locator, replacing: Bool = false) throws -> DownloadedFile {
        let path = file.locatorText
        do {
            let owner = owner ?? TemporaryFile(FilePath(self.path))
            try owner.move(to: FilePath(path), replacing: replacing)
        } catch {
            throw Download.named(error, request: response?.request, response)
        }
        return DownloadedFile(
            path: path,
            response: response,
            byteCount: byteCount,
            resumedByteCount: resumedByteCount,
            verifiedChecksums: verifiedChecksums,
            contentRange: contentRange
        )
    }
}

extension DownloadedFile: CustomStringConvertible, CustomReflectable {
    /// Path and size.
    public var description: String { "\(PeerText.printable(path)): \(byteCount) bytes" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["file": description]) }
}
