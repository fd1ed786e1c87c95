// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache
@testable import CumulusCore

/// The memory of a cache: its bound, and what goes first.
@Suite struct ShelfTests {
    private static let origin = Origin(scheme: .https, host: "a.example")

    private func key(_ number: Int) -> CacheKey { CacheKey(origin: Self.origin, target: "/\(number)") }

    private func insert(_ number: Int, _ shelf: inout Shelf, bytes: Int = 10_000) {
        let response = Stored.response([("Cache-Control", "max-age=60")])
        let entry = StoredEntry(id: UInt64(number), response: response, body: .bytes(.empty))
        shelf.insert(entry, key(number), Audience(partition: StorePartition()), bytes: bytes)
    }

    private func has(_ number: Int, _ shelf: Shelf) -> Bool {
        !shelf.entries(key(number), Audience(partition: StorePartition())).isEmpty
    }

    @Test func itIsNeverFullerThanItsCapacity() {
        var shelf = Shelf(capacity: 100_000)
        for number in 1...1_000 {
            insert(number, &shelf, bytes: (number % 13) * 2_000)
            if number % 3 == 0 { shelf.mark(UInt64(number)) }
            #expect(shelf.cost <= 100_000)
        }
        for number in 1...1_000 { shelf.remove(UInt64(number)) }
        #expect(shelf.cost == 0)
    }

    @Test func whatWasAskedForAgainOutlivesAScan() {
        var shelf = Shelf(capacity: 100_000)
        for number in 1...5 { insert(number, &shelf) }
        for round in 0..<100 {
            for number in 1...5 { shelf.mark(UInt64(number)) }
            for scanned in 0..<3 { insert(100 + round * 3 + scanned, &shelf) }
        }
        for number in 1...5 { #expect(has(number, shelf)) }
    }

    @Test func whatIsTooLargeLeavesAtOnce() {
        var shelf = Shelf(capacity: 100_000)
        insert(1, &shelf, bytes: 200_000)
        #expect(shelf.cost == 0 && !has(1, shelf))
        insert(2, &shelf)
        let fits = shelf.grow(2, by: 100_000)
        #expect(!fits && shelf.cost == 0)
        let isThere = shelf.grow(2, by: 1)
        #expect(!isThere)
    }

    /// However long a user's token is, the key of the user's responses takes no memory that isn't counted.
    @Test func aPartitionIsOfFixedSize() {
        #expect(_isPOD(StorePartition.self) && MemoryLayout<StorePartition>.size <= 64)
    }

    @Test func longURLsHeadsAndSelectingFieldsCount() {
        func cost(_ fields: [(String, String)], target: String = "/", request: [(String, String)] = []) -> Int {
            var shelf = Shelf(capacity: 10_000_000)
            let entry = StoredEntry(
                id: 1,
                response: Stored.response(.ok, fields, request: request),
                body: .bytes(.empty)
            )
            let key = CacheKey(origin: Self.origin, target: target)
            shelf.insert(entry, key, Audience(partition: StorePartition()), bytes: 0)
            return shelf.cost
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
        var shelf = Shelf(capacity: 10_000_000)
        for number in 1...100 {
            let entry = StoredEntry(id: UInt64(number), response: Stored.response([]), body: .bytes(.empty))
            shelf.insert(entry, key(0), Audience(partition: StorePartition()), bytes: 1)
        }
        #expect(shelf.entries(key(0), Audience(partition: StorePartition())).map(\.id) == Array(69...100))
        shelf.remove(key(0))
        #expect(shelf.cost == 0)
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
