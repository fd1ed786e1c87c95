// SPDX-License-Identifier: Apache-2.0

/// The files of a download: the part file, the record beside it, and the final file.
struct DownloadFile: Sendable {
    let target: FilePath
    let part: PartFile
    /// Runs blocking disk work, in order.
    let lane: DiskLane

    private init(target: FilePath, part: PartFile, lane: DiskLane) {
        self.target = target
        self.part = part
        self.lane = lane
    }

    /// The same for another final path.
    func retargeted(to target: FilePath) -> DownloadFile { DownloadFile(target: target, part: part, lane: lane) }

    /// Opens the part file of a target exclusively.
    ///
    /// - Throws: ``FileProblem``, ``PartFile/InUse``.
    init(target: FilePath, part: FilePath) throws {
        self.target = target
        self.part = try PartFile(part)
        lane = DiskLane("cumulus.download")
    }

    /// The path of the record.
    var record: FilePath { FilePath(part.path.text + ".json") }

    /// The record of an earlier download; `nil` if it can't be used.
    func earlier() -> DownloadRecord? {
        guard let found = DownloadRecord(at: record), found.remote.condition != nil,
            found.done.last?.end ?? 0 <= part.size
        else {
            return nil
        }
        return found
    }

    /// Discards an earlier download; its record is removed first, so that it never lists wrong bytes.
    func clear() async throws {
        try await lane.run { [part, record] in
            DownloadRecord.remove(record)
            if part.size > 0 { try part.truncate(to: 0) }
        }
    }

    /// Removes the record, after any writes in progress.
    func forget() async throws { try await lane.run { [record] in DownloadRecord.remove(record) } }

    /// Writes the record once its bytes are on the disk.
    func keep(_ kept: DownloadRecord) async throws {
        try await lane.run { [part, record] in
            try part.sync()
            try kept.write(to: record)
        }
    }

    /// The digests of existing bytes.
    func digest(of length: Int64, with empty: RunningDigest) async throws -> RunningDigest {
        try await lane.run { [part] in
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
    /// - Throws: ``PartFile/Exists``, ``FileProblem``.
    func commit(length: Int64, _ collision: PartFile.Collision, modified: Int64?) async throws -> FilePath {
        try await lane.run { [part, record, target] in
            if part.size > length { try part.truncate(to: length) }
            if let modified { try part.setModificationTime(modified) }
            try part.sync()
            let path = try part.commit(to: target, collision)
            try FilePath.sync(directory: path.directory)
            DownloadRecord.remove(record)
            // A temporary file may be moved immediately, which takes the lock again.
            part.unlock()
            return path
        }
    }

    /// Removes the part file and its record.
    func discard() async {
        try? await lane.run { [part, record] in
            DownloadRecord.remove(record)
            part.discard()
        }
    }
}
