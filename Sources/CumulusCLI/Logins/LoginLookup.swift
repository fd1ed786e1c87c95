// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Finds the login for an origin.
struct LoginLookup {
    private let options: Arguments
    private let surroundings: Surroundings

    init(_ options: Arguments, in surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// The login required by `-A oauth2`; `nil` if the option has another value, or is missing.
    func demanded(for origin: Origin) throws(UsageMistake) -> Plan.Identity? {
        guard options.authType?.lowercased() == "oauth2" else { return nil }
        if options.auth != nil {
            throw UsageMistake("--auth-type oauth2 and --auth can't be combined: oauth2 uses the saved login")
        }
        let found: Plan.Identity?
        do {
            found = try saved(for: origin)
        } catch {
            throw UsageMistake("the login can't be used: \(error)")
        }
        guard let found else {
            throw UsageMistake(
                "you are not signed in to \(origin)",
                hint: "sign in with cumulus login \(origin) --issuer URL --client ID"
            )
        }
        return found
    }

    /// The login of an origin; an unreadable one is noted, and not used.
    func saved(for origin: Origin, notices: inout [String]) -> Plan.Identity? {
        do {
            return try saved(for: origin)
        } catch {
            notices.append("\(error); the login is not used")
            return nil
        }
    }

    /// The login of an origin; `nil` if nobody signed in.
    private func saved(for origin: Origin) throws(FileFailure) -> Plan.Identity? {
        guard let folder = LoginFolder(surroundings.environment) else { return nil }
        return try folder.login(for: origin).map { .login($0, folder) }
    }
}
