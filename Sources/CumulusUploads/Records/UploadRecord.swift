// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The record of an unfinished upload, from which another process continues it.
struct UploadRecord: Sendable, Hashable, Codable {
    /// The format version; a record of any other version is ignored.
    static let currentVersion = 2

    var version = UploadRecord.currentVersion
    /// The file, in the state of its first bytes.
    var file: SourceFile
    /// The upload's URL; `nil` until the server has created the upload.
    var url: String?
    /// The upload's ID at a store of objects.
    var id: String?
    /// The end of the bytes that may have been sent: the server can't have more.
    ///
    /// At a store of objects, all of them: once the parts are being made into an object.
    var sent: Int64 = 0
    /// The code of the cookies that were sent; `nil` without a jar.
    var cookies: String?
    /// The server's features, as far as they matter for the remaining bytes.
    var terms = UploadTerms()

    init(_ file: SourceFile) { self.file = file }

    /// Parses a record; `nil` if it is invalid: another version, or bytes that were changed.
    init?(parsing bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2, lines[0].elementsEqual(UploadRecord.digest(of: Array(lines[1])).utf8),
            let record = try? JSON(parsing: Array(lines[1])).decode(as: UploadRecord.self),
            record.version == UploadRecord.currentVersion, record.sent >= 0, record.sent <= record.file.size
        else { return nil }
        self = record
    }

    /// The record's bytes: a digest, a line break, JSON.
    func encoded() throws -> [UInt8] {
        let json = [UInt8](try JSON(encoding: self).encoded())
        return Array(UploadRecord.digest(of: json).utf8) + [UInt8(ascii: "\n")] + json
    }

    private static func digest(of bytes: [UInt8]) -> String {
        MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
    }
}

/// The server's features and limits for uploads, as far as it has announced them.
struct UploadTerms: Sendable, Hashable, Codable {
    /// The most bytes of an upload; `nil` if unknown.
    var maxSize: Int64?
    /// The most bytes of one request; `nil` if unknown.
    var maxPiece: Int64?
    /// The name of the checksum that the server verifies for each piece; `nil` for none.
    var checksum: String?
    /// Whether a client may remove an upload.
    var canRemove = false
    /// Whether the request that creates an upload may contain its first bytes.
    var createsWithBytes = false
    /// Whether an upload may be created without its length; `nil` if unknown.
    var defersLength: Bool?
}
