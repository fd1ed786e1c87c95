// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusOAuth
import CumulusPrimitives

/// The folder of logins, with two files for each origin that only the user may read: the login, and its token.
struct LoginFolder: Equatable, Sendable {
    private let path: String

    /// Below `$XDG_STATE_HOME`, otherwise below `~/.local/state`; `nil` if neither is known.
    init?(_ environment: [String: String]) {
        guard let state = StateFolder(environment) else { return nil }
        path = "\(state.path)/logins"
    }

    /// The login of an origin; `nil` if nobody signed in.
    ///
    /// - Throws: ``FileFailure`` for a file that can't be read, or that others can read.
    func login(for origin: Origin) throws(FileFailure) -> SavedLogin? {
        try PrivateFile(file(origin, "json")).read().flatMap { SavedLogin(decoding: $0, of: origin) }
    }

    /// Stores a login.
    func keep(_ login: SavedLogin) throws(FileFailure) {
        try PrivateFile(file(login.origin, "json")).write(login.encoded())
    }

    /// Removes the login of an origin; its token belongs to the store.
    func forget(_ origin: Origin) throws(FileFailure) { try PrivateFile(file(origin, "json")).remove() }

    /// The store for an origin's token.
    func store(for origin: Origin) -> FileTokenStore { FileTokenStore(file(origin, "token.json")) }

    private func file(_ origin: Origin, _ ending: String) -> String {
        "\(path)/\(StateFolder.name(of: origin)).\(ending)"
    }
}
