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
    ///   - key: The file, the resource and the protocol.
    ///   - folder: The folder of records; `nil` for the default.
    /// - Throws: `CumulusError` with `CumulusError.Code.fileInUse` or `CumulusError.Code.disk`.
    init(_ key: String, in folder: String?) throws {
        do {
            guard let folder = folder ?? RecordFile.stateFolder else {
                throw FileFailure("make", "records", because: "neither XDG_STATE_HOME nor HOME is set")
            }
            try FilePath.makeDirectory(folder)
            let name = MessageDigest.hexadecimal(Array(MessageDigest.sha256(of: Array(key.utf8)).prefix(16)))
            path = FilePath(folder, "\(name).upload")
            guard let lock = try UploadLock(path.appending(".lock")) else {
                throw CumulusError(.fileInUse, stage: .preflight, "another upload of the file to this URL is running")
            }
            self.lock = lock
        } catch let failure as FileFailure {
            throw RecordFile.problem(failure)
        }
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
            throw RecordFile.problem(error)
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

    private static func problem(_ failure: FileFailure) -> CumulusError {
        let problem = FileProblem(failure.operation, failure.path, errorNumber: failure.errorNumber)
        let cause = failure.reason.map { FileProblem(failure.operation, failure.path, because: $0) } ?? problem
        return CumulusError(.disk, stage: .preflight, "the upload's record can't be kept: \(cause)", cause: cause)
    }

    private static let stateFolder: String? = {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        #if canImport(Darwin)
        let state = variable("HOME").map { "\($0)/Library/Application Support" }
        #else
        let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
        #endif
        return state.map { "\($0)/Cumulus/uploads" }
    }()
}
