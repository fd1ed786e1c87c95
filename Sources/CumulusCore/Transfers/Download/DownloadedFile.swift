// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A completely downloaded file, and its properties.
public struct DownloadedFile: Sendable {
    /// The file's path.
    public let path: String
    /// The last response of the download; its bytes are in the file, not here.
    ///
    /// `nil` if an existing file was kept and nothing was sent.
    public let response: Response?
    /// The file's size in bytes.
    public let byteCount: Int64
    /// Whether the file existed before and was kept as the result, so that nothing was written.
    ///
    /// Without ``verifiedChecksums``, only the file's name was compared, or, for
    /// ``DownloadOptions/ExistingFile/extend``, its length.
    public let isKept: Bool
    /// The number of the file's bytes that an earlier download had received.
    public let resumedByteCount: Int64
    /// The size of an existing file that ``DownloadOptions/ExistingFile/extend`` replaced instead of continuing it,
    /// since nothing showed that it was the beginning of the new file; 0 if no file was replaced this way.
    public let replacedByteCount: Int64
    /// The reason why the bytes that this or an earlier download had received were not used, and the file was downloaded
    /// from the beginning; `nil` if that didn't happen.
    public let restartReason: String?
    /// The digests that were verified: those in the response's header fields, and the requested one.
    public let verifiedChecksums: [Checksum]
    /// The range of the representation that the file contains; `nil` for the whole representation.
    public let contentRange: ContentRange?
    /// Deletes a temporary file with the last copy of this value.
    var owner: TemporaryFile?

    /// Creates a description of a file, for example as a test double.
    ///
    /// Nothing is read or written.
    public init(
        path: String,
        response: Response? = nil,
        byteCount: Int64,
        isKept: Bool = false,
        resumedByteCount: Int64 = 0,
        replacedByteCount: Int64 = 0,
        restartReason: String? = nil,
        verifiedChecksums: [Checksum] = [],
        contentRange: ContentRange? = nil
    ) {
        self.path = path
        self.response = response
        self.byteCount = byteCount
        self.isKept = isKept
        self.resumedByteCount = resumedByteCount
        self.replacedByteCount = replacedByteCount
        self.restartReason = restartReason
        self.verifiedChecksums = verifiedChecksums
        self.contentRange = contentRange
    }

    /// The file's URL.
    public var url: URL { URL(fileURLWithPath: path) }

    /// Whether the file is deleted when this value and its copies are released, unless it is moved first.
    public var isTemporary: Bool { owner != nil }

    /// Moves the file to a permanent location, or copies it if that is on a different file system.
    ///
    /// - Parameters:
    ///   - file: The new path, or its `file:` URL; its directory must exist.
    ///   - replacing: Whether an existing file may be replaced. Default: false.
    /// - Returns: The file at its new location.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/fileExists`` or ``CumulusError/Code/disk``.
    @discardableResult
    public func move(to file: some Locator, replacing: Bool = false) throws -> DownloadedFile {
        let path = file.locatorText
        do {
            if let owner {
                try owner.move(to: FilePath(path), replacing: replacing)
            } else {
                try TemporaryFile.move(FilePath(self.path), to: FilePath(path), replacing: replacing)
            }
        } catch {
            throw Download.named(error, request: response?.request, response)
        }
        return DownloadedFile(
            path: path,
            response: response,
            byteCount: byteCount,
            isKept: isKept,
            resumedByteCount: resumedByteCount,
            replacedByteCount: replacedByteCount,
            restartReason: restartReason,
            verifiedChecksums: verifiedChecksums,
            contentRange: contentRange
        )
    }
}

extension DownloadedFile: Redacted {
    /// The path and the size.
    public var description: String { "\(PeerText.printable(path)): \(byteCount) bytes" }
}
