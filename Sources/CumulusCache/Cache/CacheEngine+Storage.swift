// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

extension CacheEngine {
    /// How much of a body is held in memory, for other readers, while it is written elsewhere, in bytes.
    static let largestShared = 1 << 20

    /// The storage for a question; `nil` if its responses are for this process's memory only.
    private func storage(for lookup: CacheLookup) -> (any CacheStorage)? {
        lookup.audience.partition.isLasting ? storage : nil
    }

    /// Whether the responses to a question are for the storage.
    func keepsElsewhere(_ lookup: CacheLookup) -> Bool { storage(for: lookup) != nil }

    /// What is stored elsewhere; the body of the one that fits is open.
    func keptEntries(_ lookup: CacheLookup) async -> [StoredEntry] {
        guard let storage = storage(for: lookup) else { return [] }
        var entries = await storage.responses(for: lookup.place)
            .map { StoredEntry(id: 0, response: $0.response, body: .kept($0)) }
        while true {
            var choice = CacheLookup.Choice()
            for entry in entries { lookup.consider(entry, &choice) }
            guard let chosen = choice.chosen, await !opens(chosen) else { return entries }
            entries.removeAll { $0.response === chosen.response }
        }
    }

    /// Whether the body of an entry can be read.
    func opens(_ entry: StoredEntry) async -> Bool {
        guard case .kept(let kept) = entry.body else { return true }
        return await kept.body.prepare()
    }

    /// Begins to store the response to a visit's request.
    ///
    /// - Returns: What takes its body; `nil` if it isn't stored.
    func insert(_ response: CachedResponse, for visit: ReadVisit, length: Int64?) async -> CacheTap? {
        let (lookup, changes) = (visit.lookup, visit.changes)
        let storage = storage(for: lookup)
        let limit = storage == nil ? largestBody : min(largestBody, CacheEngine.largestShared)
        // What is written elsewhere is in memory only for those who read it meanwhile.
        let isInMemory = length.map { $0 <= limit } ?? (storage == nil)
        guard isInMemory || storage != nil else { return nil }
        var writer: (any CacheWriter)?
        if let storage {
            writer = await storage.write(response, for: lookup.place, length: length)
            if writer == nil { return nil }
        }
        let number = state.withLock { $0.nextID() }
        let body = isInMemory ? growingBody(number, expected: length) : nil
        let id = state.withLock { state -> UInt64? in
            if state.changes.touch(lookup.key, since: changes) { return nil }
            guard let body else { return 0 }
            let entry = StoredEntry(id: number, response: response, body: .growing(body, expected: length))
            state.table.insert(entry, lookup.key, lookup.audience, bytes: 0)
            return number
        }
        guard let id else {
            writer?.abandon()
            return nil
        }
        return CacheTap(
            engine: self,
            lookup: lookup,
            response: response,
            id: id,
            body: body,
            limit: limit,
            expected: length,
            writer: writer,
            changes: changes,
            superseding: visit.superseded(by: response)
        )
    }

    /// A body that others may read while it arrives; if its receiver stops, nobody else begins to.
    private func growingBody(_ id: UInt64, expected: Int64?) -> GrowingBody {
        GrowingBody(expected: expected.map { Int($0) }) { [weak self] in
            self?.state.withLock { $0.table.remove(id) }
        }
    }

    /// Gives a stored response another head, unless its URL has changed meanwhile, or the new head forbids to keep it.
    ///
    /// - Returns: Whether it is kept.
    @discardableResult func update(_ entry: StoredEntry, of lookup: CacheLookup, _ changes: UInt64) async -> Bool {
        let mayKeep = Storability.allows(entry.response, request: CacheDirectives())
        let isKept = state.withLock { state in
            if !mayKeep || state.changes.touch(lookup.key, since: changes) {
                state.table.remove(entry.id)
                return false
            }
            state.table.replace(entry)
            return true
        }
        guard case .kept(let kept) = entry.body else { return isKept }
        await storage?.update(kept, to: isKept ? entry.response : nil, for: lookup.place)
        return isKept
    }

    /// Removes a stored response.
    func remove(_ entry: StoredEntry, of lookup: CacheLookup) async {
        state.withLock { $0.table.remove(entry.id) }
        guard case .kept(let kept) = entry.body else { return }
        await storage?.update(kept, to: nil, for: lookup.place)
    }

    /// Removes what is stored elsewhere for URLs.
    func forget(_ keys: [CacheKey]) async {
        guard let storage else { return }
        for key in keys { await storage.remove("\(key.origin)\(key.target)") }
    }

    /// Removes everything.
    func removeAll() async {
        state.withLock { state in
            state.table.removeAll()
            state.changes.addAll()
        }
        await storage?.remove(nil)
    }
}

extension CacheLookup {
    /// Where its responses are kept.
    var place: CachePlace {
        CachePlace(
            url: "\(key.origin)\(key.target)",
            partition: audience.partition,
            content: audience.content,
            shownURL: request.redactedURL
        )
    }
}
