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

    /// Uploads the file by a protocol in which the server reports an offset.
    func offsets(by dialect: some OffsetDialect) async throws -> UploadedFile {
        let file = try SourceFile(at: path)
        let (recordFile, cookies) = try await openRecord()
        defer { recordFile.leave() }
        let journal = UploadJournal(file, recordFile, cookies: cookies)
        var upload = OffsetUpload(FileSource(file: file), dialect, run, journal)
        return try await upload.send()
    }

    /// Uploads the file to a store of objects.
    func parts(_ settings: S3Settings) async throws -> UploadedFile {
        let file = try SourceFile(at: path)
        let (recordFile, cookies) = try await openRecord()
        defer { recordFile.leave() }
        return try await S3Upload(file, settings, run, UploadJournal(file, recordFile, cookies: cookies)).send()
    }

    /// Removes an interrupted upload at the server, and then its record; false without a record.
    func abandon(_ remove: (UploadRecord) async throws -> Void) async throws -> Bool {
        let (recordFile, cookies) = try await openRecord()
        defer { recordFile.leave() }
        guard let record = recordFile.read(), record.cookies == cookies() else { return false }
        try await remove(record)
        recordFile.remove()
        return true
    }

    /// Locks the record, which is named by the file, the protocol, and all that a server may distinguish uploads by.
    private func openRecord() async throws -> (RecordFile, cookies: @Sendable () -> String?) {
        let folder = try RecordFolder(run.options.records?.locatorText)
        let code = try await run.code(keyedBy: folder.key)
        let file = FilePath(path).absolute ?? path
        let name = folder.name(for: [MessageDigest.hexadecimal(code), file] + uploadProtocol.parts)
        return (try RecordFile(name, in: folder), { [run] in run.cookieCode(keyedBy: folder.key) })
    }
}
