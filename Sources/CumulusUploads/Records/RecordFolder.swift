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

/// The folder of records, and the key for their names.
///
/// A record's name is a keyed hash (HMAC), because it is derived from secrets such as passwords.
struct RecordFolder: Sendable {
    let path: String
    /// A random key that only this user can read.
    let key: [UInt8]

    /// Creates the folder and its key, unless they exist.
    ///
    /// - Parameter path: The folder's path; `nil` for the default.
    /// - Throws: `CumulusError` with `CumulusError.Code.disk`.
    init(_ path: String?) throws {
        do throws(FileFailure) {
            guard let path = path ?? RecordFolder.stateFolder else {
                throw FileFailure("make", "records", because: "neither XDG_STATE_HOME nor HOME is set")
            }
            try FilePath.makeDirectory(path)
            self.path = path
            key = try PrivateFile(FilePath(path, "key")).sharedKey()
        } catch {
            throw RecordFolder.problem(error)
        }
    }

    /// The name of the record for an upload, from all properties that distinguish it from others.
    func name(for parts: [String]) -> String {
        var message = IdentityMessage()
        message.add("upload", parts)
        return MessageDigest.hexadecimal(Array(HMAC(key: key).code(of: message.bytes).prefix(16)))
    }

    static func problem(_ failure: FileFailure) -> CumulusError {
        let problem = FileProblem(failure.operation, failure.path, errorNumber: failure.errorNumber)
        let cause = failure.reason.map { FileProblem(failure.operation, failure.path, because: $0) } ?? problem
        return CumulusError(.disk, stage: .preflight, "the upload's record can't be stored: \(cause)", cause: cause)
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
