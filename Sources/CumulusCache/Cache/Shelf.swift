// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Stored responses in memory, bounded in bytes.
///
/// What has to go is chosen by SIEVE: a hit marks its entry, and a hand that moves from the oldest to the newest spares
/// what is marked, once. A scan of things that nobody asks for again pushes out only its like, and a hit moves nothing.
struct Shelf {
    struct Slot {
        let entry: StoredEntry
        let key: CacheKey
        let partition: StorePartition
        var cost: Int
        var isMarked = false
        var newer: UInt64?
        var older: UInt64?
    }

    /// How many bytes may be kept.
    let capacity: Int
    private(set) var cost = 0
    private(set) var slots: [UInt64: Slot] = [:]
    private var ids: [CacheKey: [UInt64]] = [:]
    private var newest: UInt64?
    private var oldest: UInt64?
    private var hand: UInt64?

    /// How many responses one URL may have for one user.
    static let mostVariants = 32

    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// What is stored for a URL and a user, the oldest first.
    func entries(_ key: CacheKey, _ partition: StorePartition) -> [StoredEntry] {
        guard let ids = ids[key] else { return [] }
        return ids.compactMap { id in slots[id].flatMap { $0.partition == partition ? $0.entry : nil } }
    }

    /// Notes that an entry was used.
    mutating func mark(_ id: UInt64) { slots[id]?.isMarked = true }

    /// Adds an entry as the newest.
    mutating func insert(_ entry: StoredEntry, _ key: CacheKey, _ partition: StorePartition, bytes: Int) {
        let own = ids[key, default: []].filter { slots[$0]?.partition == partition }
        if own.count >= Shelf.mostVariants, let first = own.first { remove(first) }
        let cost = bytes + StoredEntry.cost(of: entry.response) + key.target.utf8.count
        slots[entry.id] = Slot(entry: entry, key: key, partition: partition, cost: cost, older: newest)
        ids[key, default: []].append(entry.id)
        if let newest { slots[newest]?.newer = entry.id }
        newest = entry.id
        if oldest == nil { oldest = entry.id }
        self.cost += cost
        shrink(sparing: entry.id)
    }

    /// Puts an entry in the place of the one with its number.
    mutating func replace(_ entry: StoredEntry) {
        guard let old = slots[entry.id] else { return }
        let change = StoredEntry.cost(of: entry.response) - StoredEntry.cost(of: old.entry.response)
        var slot = Slot(entry: entry, key: old.key, partition: old.partition, cost: old.cost + change)
        (slot.isMarked, slot.newer, slot.older) = (old.isMarked, old.newer, old.older)
        slots[entry.id] = slot
        cost += change
    }

    /// Counts more bytes of an entry; false if it is gone, or too large to stay.
    mutating func grow(_ id: UInt64, by bytes: Int) -> Bool {
        guard slots[id] != nil else { return false }
        slots[id]?.cost += bytes
        cost += bytes
        shrink(sparing: id)
        return slots[id] != nil
    }

    /// Removes an entry.
    ///
    /// - Returns: The entry, if it was there.
    @discardableResult
    mutating func remove(_ id: UInt64) -> StoredEntry? {
        guard let slot = slots.removeValue(forKey: id) else { return nil }
        cost -= slot.cost
        if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
        if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
        if hand == id { hand = slot.newer }
        ids[slot.key]?.removeAll { $0 == id }
        if ids[slot.key]?.isEmpty == true { ids[slot.key] = nil }
        return slot.entry
    }

    /// Removes what is stored for a URL, whoever it is for.
    mutating func remove(_ key: CacheKey) { for id in ids[key] ?? [] { remove(id) } }

    /// Removes everything.
    mutating func removeAll() { self = Shelf(capacity: capacity) }

    private mutating func shrink(sparing id: UInt64) {
        while cost > capacity, let victim = victim(sparing: id) { remove(victim) }
        if cost > capacity { remove(id) }
    }

    /// The next unmarked entry from the hand on; marks that it passes are taken.
    private mutating func victim(sparing id: UInt64) -> UInt64? {
        guard slots.count > 1 else { return nil }
        var place = hand ?? oldest
        while let at = place, let slot = slots[at] {
            if at != id, !slot.isMarked {
                hand = slot.newer
                return at
            }
            slots[at]?.isMarked = false
            place = slot.newer ?? oldest
        }
        return nil
    }
}
