// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The trusted service files outside the user's folder, with their content at the time.
struct ServiceTrust {
    private let path: String

    /// Beside logins and sessions; `nil` if there is no such folder.
    init?(_ surroundings: Surroundings) {
        var environment = surroundings.environment
        for name in ["XDG_STATE_HOME", "HOME"] { environment[name] = surroundings.variable(name) }
        guard let state = StateFolder(environment) else { return nil }
        path = "\(state.path)/trusted-services.json"
    }

    /// Whether a file is trusted with this content.
    func trusts(_ file: String, _ bytes: [UInt8]) throws(UsageMistake) -> Bool {
        guard let known = try trusted()[file]?.string else { return false }
        return known == MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
    }

    /// Trusts a file with this content only; two commands at the same time keep each other's entries.
    func trust(_ file: String, _ bytes: [UInt8]) async throws {
        let list = PrivateFile(path)
        do {
            try await list.exclusively {
                var files = try trusted()
                files[file] = .string(MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes)))
                try list.write(JSON.object(files).encoded(.prettyPrinted))
            }
        } catch let problem as FileFailure {
            throw UsageMistake("the list of trusted files can't be written: \(problem)")
        }
    }

    private func trusted() throws(UsageMistake) -> JSON.Object {
        do {
            guard let bytes = try PrivateFile(path).read() else { return JSON.Object() }
            return (try? JSON(parsing: bytes))?.object ?? JSON.Object()
        } catch {
            throw UsageMistake("the list of trusted files can't be read: \(error)")
        }
    }
}
