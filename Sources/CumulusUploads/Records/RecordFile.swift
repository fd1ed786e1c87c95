// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file of an upload's record, readable only by its user, and its lock.
struct RecordFile: Sendable {
    private let path: FilePath
    private let lock: UploadLock

    /// Locks the record of an upload.
    ///
    /// - Parameters:
    ///   - name: The record's name.
    ///   - folder: The folder of records.
    /// - Throws: `CumulusError` with `CumulusError.Code.fileInUse` or `CumulusError.Code.disk`.
    init(_ name: String, in folder: RecordFolder) throws {
        path = FilePath(folder.path, "\(name).upload")
        let lock: UploadLock?
        do { lock = try UploadLock(path.appending(".lock")) } catch { throw RecordFolder.problem(error) }
        guard let lock else {
            throw CumulusError(.fileInUse, stage: .preflight, "another upload of the file to this URL is running")
        }
        self.lock = lock
    }

    /// The record; `nil` if it is missing or not valid.
    func read() -> UploadRecord? {
        guard let bytes = try? PrivateFile(path).read() else { return nil }
        return UploadRecord(parsing: bytes)
    }

    /// Replaces the record.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    func write(_ record: UploadRecord) throws {
        let bytes = try record.encoded()
        do { try PrivateFile.replace(path, with: bytes, by: path.text + ".new") } catch {
            throw RecordFolder.problem(error)
        }
    }

    /// Removes the record and the lock's file.
    func remove() {
        unlink(path.text)
        unlink(path.text + ".new")
        lock.remove()
    }

    /// Removes the lock's file if there is no record.
    func leave() { if !path.exists { lock.remove() } }
}
