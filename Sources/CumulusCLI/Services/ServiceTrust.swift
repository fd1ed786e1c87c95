// SPDX-License-Identifier: Apache-2.0

import CumulusCore

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

    /// Whether a file is trusted and unchanged.
    func trusts(_ file: String) throws(UsageMistake) -> Bool {
        guard let known = try trusted()[file]?.string else { return false }
        return known == (try ServiceTrust.digest(file))
    }

    /// Trusts a file with its current content.
    func trust(_ file: String) throws(UsageMistake) {
        var files = try trusted()
        files[file] = .string(try ServiceTrust.digest(file))
        do {
            try PrivateFile(path).write(JSON.object(files).encoded(.prettyPrinted))
        } catch {
            throw UsageMistake("the trusted files can't be written down: \(error)")
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

    private static func digest(_ file: String) throws(UsageMistake) -> String {
        do throws(ServiceProblems) {
            let hash = MessageDigest.sha256(of: try ServiceDescription.bytes(ofFile: file))
            return hash.map { byte in
                let digits = String(byte, radix: 16)
                return digits.utf8.count == 1 ? "0\(digits)" : digits
            }.joined()
        } catch {
            throw ServiceFile.mistake(error, file)
        }
    }
}
