// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

/// The revisions that a tree has received, by place and variant; the least recently used are dropped first.
final class RevisionStore: Sendable {
    /// How many places are remembered.
    static let limit = 1000
    private static let variantLimit = 32

    /// Where a representation was obtained: a whole URL, with the authorizers, the jar and the route.
    struct Place: Sendable, Hashable {
        let origin: Origin
        let target: String
        var partition = StorePartition()
    }

    /// How it was requested: another method, another `Accept` or another user may get another representation.
    struct Variant: Sendable, Hashable {
        let method: String
        let accept: String?
        let language: String?
        var user = StorePartition()
        /// The header fields of the call that may name a user.
        var fields: Set<IdentityDigest> = []
    }

    private struct Memory {
        var variants: [(variant: Variant, revision: Revision)] = []
        var used: UInt64 = 0
    }

    private struct State {
        var memories: [Place: Memory] = [:]
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The latest revision of a variant at a place.
    func revision(at place: Place, of variant: Variant) -> Revision? {
        use(place) { $0.variants.first { $0.variant == variant }?.revision }
    }

    /// The latest revision that was read at a place by calls whose fields a change also has.
    ///
    /// A change may have further fields, such as a token against forged requests. What interceptors add isn't compared: a
    /// signature is another one each time.
    ///
    /// - Returns: The revision, and those fields.
    func latest(
        at place: Place,
        for fields: Set<IdentityDigest>
    ) -> (revision: Revision, fields: Set<IdentityDigest>)? {
        use(place) { memory in
            memory.variants.last { $0.variant.fields.isSubset(of: fields) }.map { ($0.revision, $0.variant.fields) }
        }
    }

    /// Remembers a revision; values that the newer one lacks stay as they were.
    func remember(_ revision: Revision, at place: Place, of variant: Variant) {
        state.withLock { state in
            state.uses += 1
            var memory = state.memories[place] ?? Memory()
            memory.used = state.uses
            var updated = revision
            if let index = memory.variants.firstIndex(where: { $0.variant == variant }) {
                updated = memory.variants.remove(at: index).revision
                updated.update(revision)
            } else if memory.variants.count >= RevisionStore.variantLimit {
                memory.variants.removeFirst()
            }
            memory.variants.append((variant, updated))
            state.memories[place] = memory
            if state.memories.count > RevisionStore.limit { RevisionStore.shrink(&state) }
        }
    }

    /// Forgets the revisions of a path and everything below it.
    func forget(below path: String, at origin: Origin) {
        let base = path.ends(with: "/") ? String(path.utf8.dropLast()) ?? path : path
        state.withLock { state in
            state.memories = state.memories.filter { place, _ in
                guard place.origin == origin, place.target.begins(with: base) else { return true }
                let next = place.target.utf8.dropFirst(base.utf8.count).first
                return next != nil && next != UInt8(ascii: "/") && next != UInt8(ascii: "?")
            }
        }
    }

    /// How many places are remembered.
    var count: Int { state.withLock { $0.memories.count } }

    private func use<Value>(_ place: Place, _ look: (Memory) -> Value?) -> Value? {
        state.withLock { state in
            guard let memory = state.memories[place] else { return nil }
            state.uses += 1
            state.memories[place]?.used = state.uses
            return look(memory)
        }
    }

    /// Drops the tenth that was not used for longest, so that not each new place has to look for the oldest.
    private static func shrink(_ state: inout State) {
        let oldest = state.memories.sorted { $0.value.used < $1.value.used }.prefix(limit / 10)
        for (place, _) in oldest { state.memories[place] = nil }
    }
}
