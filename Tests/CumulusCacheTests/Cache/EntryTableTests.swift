// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache
@testable import CumulusCore

/// The memory of a cache: its bound, and what goes first.
@Suite struct EntryTableTests {
    private static let origin = Origin(scheme: .https, host: "a.example")

    private func key(_ number: Int) -> CacheKey { CacheKey(origin: Self.origin, target: "/\(number)") }

    private func insert(_ number: Int, _ table: inout EntryTable, bytes: Int = 10_000) {
        let response = Stored.response([("Cache-Control", "max-age=60")])
        let entry = StoredEntry(id: UInt64(number), response: response, body: .bytes(.empty))
        table.insert(entry, key(number), Audience(partition: StorePartition()), bytes: bytes)
    }

    private func has(_ number: Int, _ table: EntryTable) -> Bool {
        !table.entries(key(number), Audience(partition: StorePartition())).isEmpty
    }

    @Test func itIsNeverFullerThanItsCapacity() {
        var table = EntryTable(capacity: 100_000)
        for number in 1...1_000 {
            insert(number, &table, bytes: (number % 13) * 2_000)
            if number % 3 == 0 { table.mark(UInt64(number)) }
            #expect(table.cost <= 100_000)
        }
        for number in 1...1_000 { table.remove(UInt64(number)) }
        #expect(table.cost == 0)
    }

    @Test func whatWasAskedForAgainOutlivesAScan() {
        var table = EntryTable(capacity: 100_000)
        for number in 1...5 { insert(number, &table) }
        for round in 0..<100 {
            for number in 1...5 { table.mark(UInt64(number)) }
            for scanned in 0..<3 { insert(100 + round * 3 + scanned, &table) }
        }
        for number in 1...5 { #expect(has(number, table)) }
    }

    @Test func whatIsTooLargeLeavesAtOnce() {
        var table = EntryTable(capacity: 100_000)
        insert(1, &table, bytes: 200_000)
        #expect(table.cost == 0 && !has(1, table))
        insert(2, &table)
        let fits = table.grow(2, by: 100_000)
        #expect(!fits && table.cost == 0)
        let isThere = table.grow(2, by: 1)
        #expect(!isThere)
    }

    /// However long a user's token is, the key of the user's responses takes no memory that isn't counted.
    @Test func aPartitionIsOfFixedSize() {
        #expect(_isPOD(StorePartition.self) && MemoryLayout<StorePartition>.size <= 64)
    }

    @Test func longURLsHeadsAndSelectingFieldsCount() {
        func cost(_ fields: [(String, String)], target: String = "/", request: [(String, String)] = []) -> Int {
            var table = EntryTable(capacity: 10_000_000)
            let entry = StoredEntry(
                id: 1,
                response: Stored.response(.ok, fields, request: request),
                body: .bytes(.empty)
            )
            let key = CacheKey(origin: Self.origin, target: target)
            table.insert(entry, key, Audience(partition: StorePartition()), bytes: 0)
            return table.cost
        }
        let long = String(repeating: "x", count: 100_000)
        let least = cost([])
        #expect(cost([], target: "/\(long)") >= least + 100_000)
        #expect(cost([("X-Long", long)]) >= least + 100_000)
        // Of a long request field there is only a digest.
        let selected = cost([("Vary", "X-Long")], request: [("X-Long", long)])
        #expect(selected < least + 1_000)
    }

    @Test func aURLHasABoundedNumberOfVariants() {
        var table = EntryTable(capacity: 10_000_000)
        for number in 1...100 {
            let entry = StoredEntry(id: UInt64(number), response: Stored.response([]), body: .bytes(.empty))
            table.insert(entry, key(0), Audience(partition: StorePartition()), bytes: 1)
        }
        #expect(table.entries(key(0), Audience(partition: StorePartition())).map(\.id) == Array(69...100))
        table.remove(key(0))
        #expect(table.cost == 0)
    }
}

/// What a URL's changes are remembered by.
@Suite struct RecentChangesTests {
    private func key(_ number: Int) -> CacheKey {
        CacheKey(origin: Origin(scheme: .https, host: "a.example"), target: "/\(number)")
    }

    @Test func whatHasChangedSinceIsKnownAndBeyondThatFeared() {
        var changes = RecentChanges()
        let start = changes.count
        #expect(!changes.touch(key(1), since: start))
        changes.add(key(1))
        #expect(changes.touch(key(1), since: start) && !changes.touch(key(2), since: start))
        #expect(!changes.touch(key(1), since: changes.count))
        for number in 2...400 { changes.add(key(number)) }
        #expect(changes.touch(key(400), since: start) && !changes.touch(key(999), since: start))
        for number in 401...600 { changes.add(key(number)) }
        #expect(changes.touch(key(999), since: start))
        let middle = changes.count - 100
        #expect(changes.touch(key(550), since: middle) && !changes.touch(key(450), since: middle))
        let late = changes.count
        changes.addAll()
        #expect(changes.touch(key(999), since: late) && !changes.touch(key(999), since: changes.count))
        changes.add(key(7))
        #expect(changes.touch(key(7), since: changes.count - 1))
    }
}
