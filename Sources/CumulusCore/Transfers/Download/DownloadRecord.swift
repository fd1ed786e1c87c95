// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The record next to an unfinished file, for resuming: it identifies the file and lists the existing bytes.
///
/// It is written after the bytes are on the disk, and replaced atomically.
struct DownloadRecord: Sendable, Hashable, Codable {
    /// A range of existing bytes, as offsets in the part file.
    struct Done: Sendable, Hashable, Codable {
        var start: Int64
        var end: Int64
    }

    /// The format version; any other starts over.
    static let currentVersion = 3
    private static let longest = 1 << 20

    var version = DownloadRecord.currentVersion
    /// The URL's SHA-256, since queries may hold secrets.
    var place: String
    /// The part file's inode, so that a record describes only this file, not a copy or a successor.
    var inode: UInt64
    /// The wanted range of the remote file; `nil` for all.
    var wanted: Done?
    /// The state of the remote file that the bytes are from.
    var remote: RemoteState
    /// The digests that the server declared for the whole file.
    var checksums: [String] = []
    /// The existing bytes, in order and without overlaps.
    var done: [Done]

    /// The number of contiguous bytes from the start.
    var prefix: Int64 { done.first.map { $0.start == 0 ? $0.end : 0 } ?? 0 }

    static func place(of url: RequestURL) -> String {
        Checksum(known: .sha256, MessageDigest.sha256(of: Array(url.description.utf8))).hexadecimal
    }

    /// Reads a record; `nil` if it is missing or invalid.
    init?(at path: FilePath) {
        let descriptor = open(path.text, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(),
            facts.st_size > 0, facts.st_size <= DownloadRecord.longest
        else { return nil }
        let size = Int(facts.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
        self.init(parsing: bytes)
    }

    /// Parses a record; `nil` if it is invalid.
    init?(parsing bytes: [UInt8]) {
        guard let record = try? JSON(parsing: bytes).decode(as: DownloadRecord.self), record.isSound else { return nil }
        self = record
    }

    init(place: String, inode: UInt64 = 0, wanted: Done?, remote: RemoteState, checksums: [String], done: [Done]) {
        self.place = place
        self.inode = inode
        self.wanted = wanted
        self.remote = remote
        self.checksums = checksums
        self.done = done
    }

    /// Replaces the record at a path.
    func write(to path: FilePath) throws {
        let bytes = try JSON(encoding: self).encoded()
        try PrivateFile.replace(path, with: bytes, by: path.text + ".new")
    }

    /// Removes the record at a path, and the leftovers of a killed writer.
    static func remove(_ path: FilePath) {
        unlink(path.text)
        unlink(path.text + ".new")
    }

    private var isSound: Bool {
        let length = remote.length ?? .max
        let (first, bound) = (wanted?.start ?? 0, min(wanted?.end ?? .max, length))
        guard version == DownloadRecord.currentVersion, remote.source != nil, length >= 0, first >= 0,
            wanted.map({ $0.start < $0.end }) ?? true
        else { return false }
        var end: Int64 = 0
        for one in done {
            guard one.start >= end, one.end > one.start else { return false }
            end = one.end
        }
        // Neither is negative, so this can't overflow.
        return end <= bound - first
    }
}
