// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The session of a command line.
struct SessionPlan: Sendable {
    /// The file of headers and credentials.
    let path: String
    let isReadOnly: Bool
    /// The data so far.
    let saved: SavedSession
    /// Whether the session is new.
    var isNew = false
    /// Whether the command line has credentials, which are stored from now on.
    var takesIdentity = false

    /// The file of cookies next to it.
    var cookiePath: String { SessionPlan.cookiePath(of: path) }

    /// The file of cookies next to a session's file.
    static func cookiePath(of path: String) -> String {
        let bare = path.ends(with: ".json") ? String(path.utf8.dropLast(5)) ?? path : path
        return "\(bare).cookies"
    }

    /// Adds the stored headers beneath those of the command line, which take precedence.
    func lay(under headers: inout Headers, _ names: inout Set<Headers.Name>) {
        var kept = Headers()
        for field in saved.fields { kept.add(field.value, for: Headers.Name(field.name)) }
        let says = names
        for field in saved.fields where !says.contains(Headers.Name(field.name)) {
            names.insert(Headers.Name(field.name))
        }
        headers = kept.merging(headers)
    }

    /// The session to store after a request.
    func remembered(of plan: Plan) -> SavedSession {
        var remembered = SavedSession(of: saved.origin)
        let names = plan.headerNames.filter { !SavedSession.isPassing($0.text) }
        for name in names.sorted(by: { $0.text.lowercased() < $1.text.lowercased() }) {
            if let values = plan.headers.values(of: name) {
                remembered.fields += values.map { SavedSession.Field(name: name.text, value: $0) }
            } else {
                // A header that one request masks is still stored for the next.
                remembered.fields += saved.fields.filter { Headers.Name($0.name) == name }
            }
        }
        remembered.identity = takesIdentity ? plan.identity : saved.identity
        // Of two proofs, the newer one is kept.
        if takesIdentity { remembered.fields.removeAll { Headers.Name($0.name) == .authorization } }
        if plan.headers.values(of: .authorization) != nil, !takesIdentity { remembered.identity = nil }
        return remembered
    }
}
