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

/// The folder of records, and the key of their names: a name is a code of secrets, such as a password.
struct RecordFolder: Sendable {
    let path: String
    /// A random key that only this user can read.
    let key: [UInt8]

    private static let keySize = 32

    /// Makes the folder and its key, unless they exist.
    ///
    /// - Parameter path: The folder's path; `nil` for the default.
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    init(_ path: String?) throws {
        do {
            guard let path = path ?? RecordFolder.stateFolder else {
                throw FileFailure("make", "records", because: "neither XDG_STATE_HOME nor HOME is set")
            }
            try FilePath.makeDirectory(path)
            self.path = path
            key = try RecordFolder.key(in: path)
        } catch let failure as FileFailure {
            throw RecordFolder.problem(failure)
        }
    }

    /// The name of the record for everything that distinguishes an upload from others.
    func name(for parts: [String]) -> String {
        let message = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return MessageDigest.hexadecimal(Array(HMAC(key: key).code(of: Array(message.utf8)).prefix(16)))
    }

    static func problem(_ failure: FileFailure) -> CumulusError {
        let problem = FileProblem(failure.operation, failure.path, errorNumber: failure.errorNumber)
        let cause = failure.reason.map { FileProblem(failure.operation, failure.path, because: $0) } ?? problem
        return CumulusError(.disk, stage: .preflight, "the upload's record can't be kept: \(cause)", cause: cause)
    }

    private static func key(in folder: String) throws -> [UInt8] {
        let file = PrivateFile(FilePath(folder, "key"))
        if let key = try file.read(), key.count == keySize { return key }
        var numbers = SystemRandomNumberGenerator()
        let key = (0..<keySize).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
        let draft = "\(file.path.text).\(MessageDigest.hexadecimal(Array(key.suffix(8))))"
        try PrivateFile.replace(FilePath(draft), with: key, by: draft + ".new")
        // The key of a process that was faster counts. Some file systems have no links.
        if link(draft, file.path.text) != 0, errno != EEXIST { rename(draft, file.path.text) }
        unlink(draft)
        guard let key = try file.read(), key.count == keySize else {
            throw FileFailure("read", file.path.text, because: "it is not a key; remove it")
        }
        return key
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
