// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Finds the session of a command line.
struct SessionLookup {
    private let options: Arguments
    private let surroundings: Surroundings

    init(_ options: Arguments, in surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// The session for an origin; `nil` if none is named.
    func session(for origin: Origin) throws(UsageMistake) -> SessionPlan? {
        guard let name = options.session ?? options.sessionReadOnly else { return nil }
        let isReadOnly = options.session == nil
        let path = try path(of: name, origin)
        let bytes: [UInt8]?
        do {
            bytes = try PrivateFile(path).read()
        } catch {
            throw UsageMistake("the session can't be used: \(error)")
        }
        guard let bytes else {
            guard isReadOnly else {
                return SessionPlan(path: path, isReadOnly: false, saved: SavedSession(of: origin), isNew: true)
            }
            throw UsageMistake(
                "there is no session \(quoted(name)) for \(origin)",
                hint: "--session NAME creates the session"
            )
        }
        guard let saved = SavedSession(decoding: bytes) else {
            throw UsageMistake("the file \(quoted(path)) is not a session file of this command")
        }
        // Its headers and credentials must not be sent to another origin.
        guard saved.origin == origin else {
            throw UsageMistake(
                "the session \(quoted(name)) belongs to \(saved.origin), not to \(origin)",
                hint: "a name without a slash stores one session for each origin"
            )
        }
        return SessionPlan(path: path, isReadOnly: isReadOnly, saved: saved)
    }

    /// The file of cookies.
    func cookies(of session: SessionPlan?) throws(UsageMistake) -> Plan.CookieFileChoice? {
        if let session { return Plan.CookieFileChoice(path: session.cookiePath, isReadOnly: session.isReadOnly) }
        guard let path = options.cookies else { return nil }
        if path.isEmpty { throw UsageMistake("--cookies is empty") }
        return Plan.CookieFileChoice(path: path, isReadOnly: false)
    }

    /// A path if it has a slash, otherwise a name below the command's own folder.
    private func path(of name: String, _ origin: Origin) throws(UsageMistake) -> String {
        if name.has(anyOf: "/") {
            if name.ends(with: "/") { throw UsageMistake("the session \(quoted(name)) is a folder") }
            return name
        }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, 1...64 ~= name.utf8.count, name.utf8.first != UInt8(ascii: ".") else {
            throw UsageMistake(
                "\(quoted(name)) is neither a session name nor a session file",
                hint: "write a name with letters, digits, - and _, or a file with a slash: ./FILE"
            )
        }
        guard let folder = StateFolder(surroundings.environment) else {
            throw UsageMistake("sessions can't be saved: neither XDG_STATE_HOME nor HOME is set")
        }
        return "\(folder.path)/sessions/\(StateFolder.name(of: origin))/\(name).json"
    }
}
