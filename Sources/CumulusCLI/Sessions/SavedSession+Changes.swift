// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension SavedSession {
    /// This session merged with the changes between two states of another copy, so that of two concurrent commands
    /// neither undoes the other's.
    func changed(from before: SavedSession, to after: SavedSession) -> SavedSession {
        var changed = self
        let names = Set((before.fields + after.fields).map { Headers.Name($0.name) })
        for name in names {
            let new = after.fields.filter { Headers.Name($0.name) == name }
            guard before.fields.filter({ Headers.Name($0.name) == name }) != new else { continue }
            changed.fields.removeAll { Headers.Name($0.name) == name }
            changed.fields += new
        }
        changed.fields.sort { $0.name.lowercased() < $1.name.lowercased() }
        if before.identity != after.identity { changed.identity = after.identity }
        return changed
    }
}
