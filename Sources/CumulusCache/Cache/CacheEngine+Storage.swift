// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

extension CacheEngine {
    /// The maximum number of bytes of a body in memory, for other readers, while it is written to the storage.
    static let largestShared = 1 << 20

    /// The storage for a lookup; `nil` if its responses may only be stored in this process's memory.
    private func storage(for lookup: CacheLookup) -> (any CacheStorage)? {
        lookup.audience.partition.isLasting ? storage : nil
    }

    /// Whether the responses to a lookup are written to the storage.
    func keepsElsewhere(_ lookup: CacheLookup) -> Bool { storage(for: lookup) != nil }

    /// The responses in the storage; the body of the one that fits is open.
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

    /// Starts to store the response to a visit's request.
    ///
    /// - Returns: The tap that receives its body; `nil` if the response isn't stored.
    func insert(_ response: CachedResponse, for visit: ReadVisit, length: Int64?) async -> CacheTap? {
        let (lookup, changes) = (visit.lookup, visit.changes)
        let storage = storage(for: lookup)
        let limit = storage == nil ? largestBody : min(largestBody, CacheEngine.largestShared)
        // A body that is written to the storage is in memory only for calls that read it in the meantime.
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

    /// A body that other calls may read while it arrives.
    ///
    /// If the call that receives it stops, no other reader starts.
    private func growingBody(_ id: UInt64, expected: Int64?) -> GrowingBody {
        GrowingBody(expected: expected.map { Int($0) }) { [weak self] in
            self?.state.withLock { $0.table.remove(id) }
        }
    }

    /// Replaces the head of a stored response, unless its URL has changed in the meantime, or the new head forbids
    /// storing it.
    ///
    /// - Returns: Whether the response stays stored.
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

    /// Removes the responses to URLs from the storage.
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
    /// The place where its responses are stored.
    var place: CachePlace {
        CachePlace(
            url: "\(key.origin)\(key.target)",
            partition: audience.partition,
            content: audience.content,
            shownURL: request.redactedURL
        )
    }
}
