// SPDX-License-Identifier: Apache-2.0

extension CookieStore {
    /// These cookies, with the changes between two states of another store merged over them, so that processes that
    /// share a file don't undo each other's changes.
    func changed(from before: CookieStore, to after: CookieStore, now: Int64) -> CookieStore {
        var changed = self
        let (old, new) = (before.byIdentity, after.byIdentity)
        for (identity, cookie) in old where new[identity] == nil { changed.remove(cookie) }
        // In their order, so that the oldest stay the oldest.
        for cookie in after.inOrder where old[cookie.identity] != cookie {
            // From our own memory: it was checked when it was received.
            _ = try? changed.take(cookie, isConfidential: true, now: now)
        }
        return changed
    }

    /// Whether both contain the same cookies, regardless of their use.
    func holdsSame(as other: CookieStore) -> Bool { byIdentity == other.byIdentity }

    /// All cookies, the oldest first.
    var inOrder: [Cookie] { groups.flatMap(\.entries).sorted { $0.traits.order < $1.traits.order }.map(\.cookie) }

    private var byIdentity: [Cookie.Identity: Cookie] {
        var found: [Cookie.Identity: Cookie] = [:]
        for group in groups { for entry in group.entries { found[entry.cookie.identity] = entry.cookie } }
        return found
    }
}
