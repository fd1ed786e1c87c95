// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation

/// The folder of a session's records, one private file for each running transfer.
///
/// Files are replaced atomically and never shared by two transfers, so that two processes can't spoil each other's.
struct TransferRecords: Sendable {
    private static let ending = ".transfer"

    let folder: String

    /// Makes the folder, unless it exists.
    ///
    /// - Parameters:
    ///   - identifier: The session's identifier.
    ///   - parent: The folder of the folders of all sessions; `nil` for the default.
    /// - Throws: `CumulusError` with the code `disk`.
    init(identifier: String, in parent: String?) throws {
        let parents = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let name = MessageDigest.hexadecimal(Array(MessageDigest.sha256(of: Array(identifier.utf8)).prefix(16)))
        let parent = parent ?? parents.first.map { FilePath($0.locatorText, "Cumulus/background").text }
        folder = FilePath(parent ?? ".", name).text
        do { try FilePath.makeDirectory(folder) } catch { throw Self.problem(error) }
    }

    /// Writes a record.
    ///
    /// - Throws: `CumulusError` with the code `disk`.
    func write(_ record: TransferRecord) throws {
        let bytes = try record.encoded()
        do { try file(record.id).write(bytes) } catch { throw Self.problem(error) }
    }

    /// Removes the record of a transfer, if it exists.
    func remove(_ id: String) { try? file(id).remove() }

    /// The records by their transfers' identifiers.
    func all() -> [(id: String, record: Result<TransferRecord, TransferRecord.Problem>)] {
        FilePath.names(inDirectory: folder, followsLinks: true).sorted().compactMap { name in
            guard name.ends(with: Self.ending) else { return nil }
            let id = String(decoding: name.utf8.dropLast(Self.ending.utf8.count), as: UTF8.self)
            do throws(TransferRecord.Problem) {
                return try read(id).map { (id, .success($0)) }
            } catch { return (id, .failure(error)) }
        }
    }

    /// Reads a record; `nil` if it was removed in the meantime.
    private func read(_ id: String) throws(TransferRecord.Problem) -> TransferRecord? {
        let bytes: [UInt8]?
        do { bytes = try file(id).read() } catch { throw .untrusted }
        guard let bytes else { return nil }
        let record = try TransferRecord(parsing: bytes)
        // A copy under another name is not this transfer's.
        guard record.id == id, (try? record.transfer(home: "/")) != nil else { throw .damaged }
        return record
    }

    private func file(_ id: String) -> PrivateFile { PrivateFile(FilePath(folder, id + Self.ending)) }

    private static func problem(_ failure: FileFailure) -> CumulusError {
        let cause = FileProblem(failure.operation, failure.path, errorNumber: failure.errorNumber)
        let message = "the record of a background transfer can't be written: \(failure)"
        return CumulusError(.disk, stage: .preflight, message, cause: cause)
    }
}

extension CumulusError {
    /// A record can't be used.
    init(_ problem: TransferRecord.Problem, of id: String) {
        let reason =
            switch problem {
            case .damaged: "is damaged"
            case .newer: "was written by a newer version"
            case .untrusted: "can't be read, or others can read it"
            }
        self.init(.incomplete, stage: .delivery, "the record of the background transfer \(id) \(reason)")
    }
}
