// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

extension CacheEngine {
    /// How much of a body is held in memory, for other readers, while it is written elsewhere, in bytes.
    static let largestShared = 1 << 20

    /// The storage for a question; `nil` if its responses are for this process's memory only.
    private func storage(for question: Question) -> (any CacheStorage)? {
        question.audience.partition.isLasting ? storage : nil
    }

    /// Whether the responses to a question are for the storage.
    func keepsElsewhere(_ question: Question) -> Bool { storage(for: question) != nil }

    /// What is stored elsewhere; the body of the one that fits is open.
    func keptEntries(_ question: Question) async -> [StoredEntry] {
        guard let storage = storage(for: question) else { return [] }
        var entries = await storage.responses(for: question.place)
            .map { StoredEntry(id: 0, response: $0.response, body: .kept($0)) }
        while true {
            var choice = Question.Choice()
            for entry in entries { question.consider(entry, &choice) }
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
        let (question, changes) = (visit.question, visit.changes)
        let storage = storage(for: question)
        let limit = storage == nil ? largestBody : min(largestBody, CacheEngine.largestShared)
        // What is written elsewhere is in memory only for those who read it meanwhile.
        let isInMemory = length.map { $0 <= limit } ?? (storage == nil)
        guard isInMemory || storage != nil else { return nil }
        var writer: (any CacheWriter)?
        if let storage {
            writer = await storage.write(response, for: question.place, length: length)
            if writer == nil { return nil }
        }
        let number = state.withLock { $0.nextID() }
        let body = isInMemory ? growingBody(number, expected: length) : nil
        let id = state.withLock { state -> UInt64? in
            if state.changes.touch(question.key, since: changes) { return nil }
            guard let body else { return 0 }
            let entry = StoredEntry(id: number, response: response, body: .growing(body, expected: length))
            state.shelf.insert(entry, question.key, question.audience, bytes: 0)
            return number
        }
        guard let id else {
            writer?.abandon()
            return nil
        }
        return CacheTap(
            engine: self,
            question: question,
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
            self?.state.withLock { $0.shelf.remove(id) }
        }
    }

    /// Gives a stored response another head, unless its URL has changed meanwhile, or the new head forbids to keep it.
    ///
    /// - Returns: Whether it is kept.
    @discardableResult func update(_ entry: StoredEntry, of question: Question, _ changes: UInt64) async -> Bool {
        let mayKeep = Storability.allows(entry.response, request: CacheDirectives())
        let isKept = state.withLock { state in
            if !mayKeep || state.changes.touch(question.key, since: changes) {
                state.shelf.remove(entry.id)
                return false
            }
            state.shelf.replace(entry)
            return true
        }
        guard case .kept(let kept) = entry.body else { return isKept }
        await storage?.update(kept, to: isKept ? entry.response : nil, for: question.place)
        return isKept
    }

    /// Removes a stored response.
    func remove(_ entry: StoredEntry, of question: Question) async {
        state.withLock { $0.shelf.remove(entry.id) }
        guard case .kept(let kept) = entry.body else { return }
        await storage?.update(kept, to: nil, for: question.place)
    }

    /// Removes what is stored elsewhere for URLs.
    func forget(_ keys: [CacheKey]) async {
        guard let storage else { return }
        for key in keys { await storage.remove("\(key.origin)\(key.target)") }
    }

    /// Removes everything.
    func removeAll() async {
        state.withLock { state in
            state.shelf.removeAll()
            state.changes.addAll()
        }
        await storage?.remove(nil)
    }
}

extension Question {
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
