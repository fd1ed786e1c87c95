// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The record of a running upload.
struct UploadJournal: Sendable {
    private let file: SourceFile
    private let recordFile: RecordFile
    /// The record of an earlier upload.
    let earlier: UploadRecord?

    init(_ file: SourceFile, _ recordFile: RecordFile) {
        self.file = file
        self.recordFile = recordFile
        earlier = recordFile.read()
    }

    /// The reason why an earlier upload can't be continued with the file; `nil` if it can.
    func difference(from record: UploadRecord) -> String? {
        if record.file == file { return nil }
        if record.file.size != file.size {
            return "the file has changed: it had \(record.file.size) bytes, and has \(file.size)"
        }
        if record.file.inode != file.inode || record.file.device != file.device {
            return "the file has changed: it was replaced by another one"
        }
        return "the file has changed: it was modified"
    }

    /// Replaces the record.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    func write(url: RequestURL?, _ sent: Int64, _ terms: UploadTerms) throws {
        var record = UploadRecord(file)
        (record.url, record.sent, record.terms) = (url?.description, sent, terms)
        try recordFile.write(record)
    }

    /// Replaces the record of an upload to a store of objects.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    func write(id: String?, _ terms: UploadTerms) throws {
        var record = UploadRecord(file)
        (record.id, record.terms) = (id, terms)
        try recordFile.write(record)
    }

    func remove() { recordFile.remove() }
}
