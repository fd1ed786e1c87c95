// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The files of a download: the part file, the record beside it, and the final file.
struct DownloadFile: Sendable {
    let target: FilePath
    let part: PartFile
    /// Runs blocking disk work, in order.
    let queue: DiskQueue

    private init(target: FilePath, part: PartFile, queue: DiskQueue) {
        self.target = target
        self.part = part
        self.queue = queue
    }

    /// The same for another final path.
    func retargeted(to target: FilePath) -> DownloadFile { DownloadFile(target: target, part: part, queue: queue) }

    /// Opens the part file of a target exclusively.
    ///
    /// - Throws: ``FileProblem``, ``PartFile/InUse``.
    init(target: FilePath, part: FilePath) throws {
        self.target = target
        self.part = try PartFile(part)
        queue = DiskQueue("cumulus.download")
    }

    /// The path of the record.
    var record: FilePath { part.path.appending(".json") }

    /// The record of an earlier download; `nil` if it can't be used.
    func earlier() -> DownloadRecord? {
        guard let found = DownloadRecord(at: record), found.inode == part.identity.inode,
            found.remote.condition != nil, found.done.last?.end ?? 0 <= part.size
        else {
            return nil
        }
        return found
    }

    /// Discards an earlier download; its record is removed first, so that it never lists wrong bytes.
    func clear() async throws {
        try await queue.run { [self] in
            removeRecord()
            if part.size > 0 { try part.truncate(to: 0) }
        }
    }

    /// Removes the record, after any writes in progress.
    func forget() async throws { try await queue.run { [self] in removeRecord() } }

    /// Writes the record once its bytes are on the disk.
    func keep(_ kept: DownloadRecord) async throws { try await queue.run { [self] in try write(kept) } }

    /// Writes the record, whose bytes reach the disk before; blocks.
    func write(_ kept: DownloadRecord) throws {
        try part.sync()
        guard part.isInPlace else {
            throw FileProblem("write the record of", part.path.text, because: "another file has replaced it")
        }
        var kept = kept
        kept.inode = part.identity.inode
        try kept.write(to: record)
    }

    /// Removes the record, unless the part file's name is another's by now, and the record with it.
    private func removeRecord() { if part.isInPlace { DownloadRecord.remove(record) } }

    /// Copies the beginning of another file, in order, as this file's, together with its permissions.
    ///
    /// - Throws: ``FileProblem``, also if the file is another one or shorter by now; ``PartFile/InUse``;
    ///   `CancellationError`.
    func copy(_ other: ExaminedFile, count: Int64) async throws {
        let source = try await queue.run { [part] in
            let source = try other.open()
            // Before the first byte, since the file may be private.
            part.takePermissions(of: source)
            try part.reserve(count)
            return source
        }
        _ = try await other.read(source, count, on: queue) { [part] bytes, position in
            try part.write(bytes, at: position)
            return true
        }
    }

    /// Whether this file begins with the bytes of another one.
    ///
    /// - Throws: ``FileProblem``, also if that file is another one or shorter by now; ``PartFile/InUse``;
    ///   `CancellationError`.
    func begins(with other: ExaminedFile, count: Int64) async throws -> Bool {
        let source = try await queue.run { try other.open() }
        return try await other.read(source, count, on: queue) { [part] bytes, position in
            let own = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            defer { own.deallocate() }
            return try part.read(into: own, at: position) == bytes.count && own.elementsEqual(bytes)
        }
    }

    /// The digests of existing bytes.
    func digest(of length: Int64, with empty: RunningDigest) async throws -> RunningDigest {
        try await queue.run { [part] in
            var digest = empty
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
            defer { buffer.deallocate() }
            while digest.count < length {
                let wanted = Int(min(Int64(buffer.count), length - digest.count))
                let count = try part.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]),
                    at: digest.count
                )
                guard count == wanted else { throw FileProblem("read", part.path.text, because: "it is too short") }
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return digest
        }
    }

    /// Moves the file to its destination, after its bytes are on the disk.
    ///
    /// - Returns: Its path.
    /// - Throws: ``PartFile/Exists``, ``FilesInUse/Taken``, ``FileProblem``.
    func commit(
        length: Int64,
        _ collision: PartFile.Collision,
        modified: Int64?,
        beside filesInUse: FilesInUse? = nil
    ) async throws -> FilePath {
        try await queue.run { [self] in
            if part.size > length { try part.truncate(to: length) }
            if let modified { try part.setModificationTime(modified) }
            try part.sync()
            // Killed in between, it leaves a record of nothing: the next file here begins without bytes.
            let isOurs = part.isInPlace
            let move = { try part.commit(to: target, collision) }
            // A numbered name is free anyway.
            let path =
                if let filesInUse, collision != .number { try filesInUse.commit(to: target, move) } else { try move() }
            if isOurs { DownloadRecord.remove(record) }
            try FilePath.sync(directory: path.directory)
            // A temporary file may be moved immediately, which takes the lock again.
            part.unlock()
            return path
        }
    }

    /// Removes the part file and its record.
    func discard() async {
        try? await queue.run { [self] in
            removeRecord()
            part.discard()
        }
    }
}
