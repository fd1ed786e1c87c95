// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import HTTPTypes

/// The record of a running transfer, from which a later process handles its result.
///
/// It contains neither header fields nor the URL's query, which may be secrets.
struct TransferRecord: Sendable, Hashable, Codable {
    /// The reasons why a record can't be used.
    enum Problem: Error, Sendable, Hashable {
        /// Its bytes were changed or cut off, or another version of the library wrote it.
        case damaged
        /// It belongs to another user, or others can read or change it.
        case untrusted
        /// The system can't read it now: the device is locked, or the disk fails.
        case unreadable
    }

    static let currentVersion = 1

    var version = TransferRecord.currentVersion
    var id: String
    /// The number of the system's task.
    var task: Int
    var kind: BackgroundTransfer.Kind
    var method: String
    var url: String
    var file: String
    /// Whether the file's path is relative to the home directory, which moves when an app is updated.
    var isInHome = false
    var existing: ExistingFileRule
    var checksum: String?
    var hasCredentials: Bool

    /// The transfer, as users see it, with the file's path for a home directory.
    func transfer(home: String) throws -> BackgroundTransfer {
        let path = isInHome ? FilePath(home, file).text : file
        return BackgroundTransfer(id: id, kind: kind, url: try RequestURL(url), file: path)
    }

    /// Stores the path of the file, relative to the home directory if it is there.
    mutating func setFile(_ path: String, home: String) {
        let folder = home.ends(with: "/") ? home : home + "/"
        isInHome = folder.utf8.count > 1 && path.begins(with: folder)
        file = isInHome ? String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self) : path
    }

    /// Parses a record.
    ///
    /// - Throws: `Problem`.
    init(parsing bytes: [UInt8]) throws(Problem) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2, lines[0].elementsEqual(TransferRecord.digest(of: Array(lines[1])).utf8),
            let json = try? JSON(parsing: Array(lines[1])), let record = try? json.decode(as: TransferRecord.self),
            record.version == TransferRecord.currentVersion
        else { throw .damaged }
        self = record
    }

    init(
        id: String,
        task: Int,
        request: TransferRequest,
        options: BackgroundTransferOptions
    ) throws {
        (self.id, self.task) = (id, task)
        kind = request.kind
        method = request.encoded.method.rawValue
        url = "\(request.encoded.origin)\(request.encoded.url.path)"
        file = ""
        existing = try ExistingFileRule(options.existing)
        checksum = options.checksum?.description
        hasCredentials = request.hasCredentials
        setFile(request.file, home: NSHomeDirectory())
    }

    /// The record's bytes: a digest, a line break, JSON.
    func encoded() throws -> [UInt8] {
        let json = try JSON(encoding: self).encoded()
        return Array(TransferRecord.digest(of: json).utf8) + [UInt8(ascii: "\n")] + json
    }

    private static func digest(of bytes: [UInt8]) -> String {
        MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
    }
}

/// The treatment of an existing file, as a record stores it.
enum ExistingFileRule: String, Sendable, Hashable, Codable {
    case refuse, replace, keepBoth

    /// - Throws: `CumulusError` for a treatment that background transfers don't support.
    init(_ existing: DownloadOptions.ExistingFile) throws {
        switch existing {
        case .refuse: self = .refuse
        case .replace: self = .replace
        case .keepBoth: self = .keepBoth
        case .skip, .extend:
            let message = "a background download can't skip or extend an existing file"
            let advice = "use `refuse`, `replace` or `keepBoth`"
            throw CumulusError(.unsupported, stage: .preflight, "\(message); \(advice)")
        }
    }
}
