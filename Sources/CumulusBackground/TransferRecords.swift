// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation

/// The folder of a session's records, one private file for each running transfer.
///
/// Records are replaced atomically. A session's transfers belong to one process, to which the others' records would
/// look lost. That is why an app and its extensions have their own folders, even for one identifier.
struct TransferRecords: Sendable {
    private static let ending = ".transfer"

    let folder: String
    /// Replaced by tests, because they can't make a file unreadable for its owner.
    var readFile: @Sendable (PrivateFile) throws(FileFailure) -> [UInt8]? = {
        (file: PrivateFile) throws(FileFailure) -> [UInt8]? in try file.read()
    }

    /// Creates the folder, unless it exists.
    ///
    /// - Parameters:
    ///   - identifier: The session's identifier.
    ///   - parent: The folder of the folders of all sessions; `nil` for the default.
    ///   - bundle: The identifier of the app's or the extension's bundle.
    /// - Throws: `CumulusError` with the code `disk`.
    init(identifier: String, in parent: String?, bundle: String? = Bundle.main.bundleIdentifier) throws {
        let parents = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let owner = Array("\(bundle ?? "")\0\(identifier)".utf8)
        let name = MessageDigest.hexadecimal(Array(MessageDigest.sha256(of: owner).prefix(16)))
        let parent = parent ?? parents.first.map { FilePath($0.locatorText, "Cumulus/background").text }
        folder = FilePath(parent ?? ".", name).text
        do { try FilePath.makeDirectory(folder) } catch { throw Self.problem(error) }
        // New files have their folder's protection, so that no record is without it while it is written.
        Self.allowReading(folder)
    }

    /// Writes a record.
    ///
    /// - Throws: `CumulusError` with the code `disk`.
    func write(_ record: TransferRecord) throws {
        let bytes = try record.encoded()
        let file = PrivateFile(path(record.id))
        do { try file.write(bytes) } catch { throw Self.problem(error) }
        Self.allowReading(file.path.text)
    }

    /// Removes the record of a transfer, if it exists.
    func remove(_ id: String) { try? PrivateFile(path(id)).remove() }

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

    /// Reads the record of a transfer; `nil` if it doesn't exist.
    ///
    /// - Throws: `TransferRecord.Problem`.
    func read(_ id: String) throws(TransferRecord.Problem) -> TransferRecord? {
        // A task's description, which is the identifier, may be any text.
        guard let path = FilePath(of: id + Self.ending, inFolder: folder) else { return nil }
        let bytes: [UInt8]?
        do { bytes = try readFile(PrivateFile(path)) } catch {
            // The system's own errors have a number; the others are about whose file it is.
            throw error.errorNumber == 0 ? TransferRecord.Problem.untrusted : .unreadable
        }
        guard let bytes else { return nil }
        if bytes.isEmpty {
            // It may have bytes that can't be read.
            do throws(OpenedFile.Refusal) { _ = try OpenedFile(path.text).read(at: 0, count: 1) } catch {
                throw .unreadable
            }
        }
        let record = try TransferRecord(parsing: bytes)
        // A copy under another name is not this transfer's.
        guard record.id == id, (try? record.transfer(home: "/")) != nil else { throw .damaged }
        return record
    }

    private func path(_ id: String) -> FilePath { FilePath(folder, id + Self.ending) }

    /// Lets the system read a file or folder whenever the device has been unlocked once since its start.
    ///
    /// The system may launch the app on a locked device, where files with complete protection can't be read. This has not
    /// been tested on a device.
    private static func allowReading(_ path: String) {
        #if canImport(Darwin) && !os(macOS)
        let protection = FileProtectionType.completeUntilFirstUserAuthentication
        try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
        #endif
    }

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
            case .damaged: "is damaged, or another version wrote it"
            case .untrusted: "is not a private file of this user"
            case .unreadable: "can't be read at the moment"
            }
        self.init(.incomplete, stage: .delivery, "the record of the background transfer \(id) \(reason)")
    }
}
