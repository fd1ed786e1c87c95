// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The record of a running upload.
struct UploadJournal: Sendable {
    private let file: SourceFile
    private let recordFile: RecordFile
    /// Returns the code of the present cookies.
    private let cookies: @Sendable () -> String?
    /// The record of an earlier upload.
    let earlier: UploadRecord?

    init(_ file: SourceFile, _ recordFile: RecordFile, cookies: @escaping @Sendable () -> String?) {
        self.file = file
        self.recordFile = recordFile
        self.cookies = cookies
        earlier = recordFile.read()
    }

    /// Whether an upload was sent with other cookies, which may be another user's.
    func isOfOtherCookies(_ record: UploadRecord) -> Bool { record.cookies != cookies() }

    /// The reason why an earlier upload can't be continued with the file; `nil` if it can.
    ///
    /// - Parameters:
    ///   - record: The earlier upload's record.
    ///   - isVerified: Whether the earlier bytes are compared with the file, so that a change of its state alone doesn't
    ///     matter.
    /// - Returns: The reason.
    func difference(from record: UploadRecord, isVerified: Bool = false) -> String? {
        var file = file
        if isVerified { file.changed = record.file.changed }
        if isOfOtherCookies(record) { return "the cookies have changed, so this may be another user" }
        if record.file == file { return nil }
        if record.file.size != file.size {
            return "the file has changed: it had \(record.file.size) bytes, and now has \(file.size)"
        }
        if record.file.inode != file.inode || record.file.device != file.device {
            return "the file has changed: it was replaced by another file"
        }
        return "the file has changed: it was modified"
    }

    /// Checks that there is room for a record, before an upload is created.
    ///
    /// The record of an earlier upload stays until there is another one.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    func reserve() throws { try recordFile.write(recordFile.read() ?? record()) }

    /// Replaces the record.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    func write(url: RequestURL?, _ sent: Int64, _ terms: UploadTerms) throws {
        var record = record()
        (record.url, record.sent, record.terms) = (url?.description, sent, terms)
        try recordFile.write(record)
    }

    /// Replaces the record of an upload to a store of objects.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    func write(id: String, _ terms: UploadTerms, isCompleting: Bool = false) throws {
        var record = record()
        (record.id, record.sent, record.terms) = (id, isCompleting ? file.size : 0, terms)
        try recordFile.write(record)
    }

    func remove() { recordFile.remove() }

    private func record() -> UploadRecord {
        var record = UploadRecord(file)
        record.cookies = cookies()
        return record
    }
}
