// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A session that a command line names.
struct SessionPlan: Sendable {
    /// The file of headers and credentials.
    let path: String
    let isReadOnly: Bool
    /// What it remembers so far.
    let saved: SavedSession
    /// Whether there was none before.
    var isNew = false
    /// Whether the command line names credentials, which are remembered from now on.
    var takesIdentity = false

    /// The file of cookies beside it.
    var cookiePath: String {
        let bare = path.ends(with: ".json") ? String(path.utf8.dropLast(5)) ?? path : path
        return "\(bare).cookies"
    }

    /// Lays what is remembered under the headers of the command line, which win.
    func lay(under headers: inout Headers, _ names: inout Set<Headers.Name>) {
        var kept = Headers()
        for field in saved.fields { kept.add(field.value, for: Headers.Name(field.name)) }
        let says = names
        for field in saved.fields where !says.contains(Headers.Name(field.name)) {
            names.insert(Headers.Name(field.name))
        }
        headers = kept.merging(headers)
    }

    /// What is to be remembered after a request.
    func remembered(of plan: Plan) -> SavedSession {
        var remembered = SavedSession(of: saved.origin)
        let names = plan.headerNames.filter { !SavedSession.isPassing($0.text) }
        for name in names.sorted(by: { $0.text.lowercased() < $1.text.lowercased() }) {
            if let values = plan.headers.values(of: name) {
                remembered.fields += values.map { SavedSession.Field(name: name.text, value: $0) }
            } else {
                // What one request leaves out is remembered for the next.
                remembered.fields += saved.fields.filter { Headers.Name($0.name) == name }
            }
        }
        remembered.identity = takesIdentity ? plan.identity : saved.identity
        // Of two proofs of identity the newer stays.
        if takesIdentity { remembered.fields.removeAll { Headers.Name($0.name) == .authorization } }
        if plan.headers.values(of: .authorization) != nil, !takesIdentity { remembered.identity = nil }
        return remembered
    }
}
