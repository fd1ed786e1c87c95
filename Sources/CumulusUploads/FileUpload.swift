// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The upload of a file with a record.
struct FileUpload: Sendable {
    private let path: String
    private let uploadProtocol: String
    private let run: UploadRun

    init(_ path: String, _ uploadProtocol: String, _ run: UploadRun) {
        self.path = path
        self.uploadProtocol = uploadProtocol
        self.run = run
    }

    /// Uploads the file by a protocol in which the server reports an offset.
    func offsets(by dialect: some OffsetDialect) async throws -> UploadedFile {
        let file = try SourceFile(at: path)
        let recordFile = try recordFile()
        defer { recordFile.leave() }
        var upload = OffsetUpload(FileSource(file: file), dialect, run, UploadJournal(file, recordFile))
        return try await upload.send()
    }

    /// Uploads the file to a store of objects.
    func parts(_ settings: S3Settings) async throws -> UploadedFile {
        let file = try SourceFile(at: path)
        let recordFile = try recordFile()
        defer { recordFile.leave() }
        return try await S3Upload(file, settings, run, UploadJournal(file, recordFile)).send()
    }

    /// Removes an interrupted upload at the server, and then its record; false without a record.
    func abandon(_ remove: (UploadRecord) async throws -> Void) async throws -> Bool {
        let recordFile = try recordFile()
        defer { recordFile.leave() }
        guard let record = recordFile.read() else { return false }
        try await remove(record)
        recordFile.remove()
        return true
    }

    private func recordFile() throws -> RecordFile {
        let file = FilePath(path).absolute ?? path
        return try RecordFile("\(uploadProtocol)\n\(run.place)\n\(file)", in: run.options.records?.locatorText)
    }
}
