// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The upload of a file with a record.
struct FileUpload: Sendable {
    private let path: String
    private let uploadProtocol: UploadProtocol
    private let run: UploadRun

    init(_ path: String, _ uploadProtocol: UploadProtocol, _ run: UploadRun) {
        self.path = path
        self.uploadProtocol = uploadProtocol
        self.run = run
    }

    /// Uploads the bytes of the file that the server doesn't have.
    func send() async throws -> UploadedFile {
        let file = try SourceFile(at: path)
        let (recordFile, cookies) = try await openRecord()
        defer { recordFile.leave() }
        let journal = UploadJournal(file, recordFile, cookies: cookies)
        switch uploadProtocol.kind {
        case .offsets(let dialect):
            var upload = OffsetUpload(FileSource(file: file), dialect, run, journal)
            return try await upload.send()
        case .s3(let settings): return try await S3Upload(file, settings, run, journal).send()
        }
    }

    /// Removes an interrupted upload at the server, and then its record; false without a record.
    func abandon() async throws -> Bool {
        let (recordFile, cookies) = try await openRecord()
        defer { recordFile.leave() }
        guard let record = recordFile.read(), record.cookies == cookies() else { return false }
        switch uploadProtocol.kind {
        case .offsets(let dialect): try await dialect.remove(record.url, run)
        case .s3: if let id = record.id { try await S3Requests(run: run, file: record.file).abort(id) }
        }
        recordFile.remove()
        return true
    }

    /// Locks the record, whose name depends on the file, the protocol, and everything that may distinguish the upload.
    private func openRecord() async throws -> (RecordFile, cookies: @Sendable () -> String?) {
        let folder = try RecordFolder(run.options.records?.locatorText)
        let code = try await run.code(keyedBy: folder.key)
        let file = FilePath(path).absolute ?? path
        let name = folder.name(for: [MessageDigest.hexadecimal(code), file] + uploadProtocol.parts)
        return (try RecordFile(name, in: folder), { [run] in run.cookieCode(keyedBy: folder.key) })
    }
}
