// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusCore

/// Which cookies a full jar evicts, and how few it scans to find them.
@Suite struct CookieEvictionTests {
    private let now: Int64 = 1_800_000_000

    private func cookie(_ number: Int, _ attributes: String = "") throws -> Cookie {
        let origin = Origin(scheme: .https, host: "d\(number).example")
        let received = try ReceivedCookie(parsing: Array("n=\(number)\(attributes)".utf8))
        return try Cookie(received, from: origin, path: "/", isConfidential: true, now: now)
    }

    private func use(_ number: Int, of store: inout CookieStore) -> Bool {
        let origin = Origin(scheme: .https, host: "d\(number).example")
        let facts = CookieStore.RequestFacts(origin, path: "/", isConfidential: true)
        return store.field(for: facts, now: now) != nil
    }

    @Test("a file with many more cookies than a jar's limit is read without a full scan for each")
    func aLongFile() throws {
        let count = 7_000
        let lines = (0..<count).map { "d\($0).example\tFALSE\t/\tTRUE\t\(now + 1_000)\tn\t\($0)\n" }
        var store = CookieStore()
        for cookie in try CookieLines.cookies(in: Array(lines.joined().utf8)) {
            try store.take(cookie, isConfidential: true, now: now)
        }
        #expect(store.count == CookieStore.most)
        #expect(store.inOrder.map(\.domain) == (4_000..<7_000).map { "d\($0).example" })
        // One check for each evicted cookie, and a full scan for every three thousand.
        #expect(store.eviction.looks <= 2 * count)
    }

    @Test("as time passes, expired cookies are searched for at most once per moment")
    func endings() throws {
        var store = CookieStore()
        for number in 0..<6_000 {
            try store.take(try cookie(number, "; Max-Age=\(2 + number % 3)"), isConfidential: true, now: now)
        }
        #expect(store.count == CookieStore.most)
        // Two thirds have expired; the following ones need no other scan.
        for number in 6_000..<8_000 { try store.take(try cookie(number), isConfidential: true, now: now + 3) }
        #expect(store.count == CookieStore.most)
        #expect(store.cookies(now: now + 3).count == CookieStore.most)
        #expect(store.eviction.looks <= 2 * 6_000 + 2 * CookieStore.most)
    }

    @Test("the evicted cookie is always the least recently used one")
    func theOldestGoes() throws {
        var numbers = SeededNumbers(5)
        var store = CookieStore()
        // The same by the step of its last use.
        var uses: [Int: Int] = [:]
        for number in 0..<CookieStore.most {
            try store.take(try cookie(number), isConfidential: true, now: now)
            uses[number] = number
        }
        for step in 0..<4_000 {
            let chosen = Int.random(in: 0..<(CookieStore.most + step), using: &numbers)
            switch step % 4 {
            case 0:
                let isThere = use(chosen, of: &store)
                #expect(isThere == (uses[chosen] != nil))
                if isThere { uses[chosen] = CookieStore.most + step }
            case 1:
                store.remove(try cookie(chosen))
                uses[chosen] = nil
            default:
                try store.take(try cookie(chosen), isConfidential: true, now: now)
                uses[chosen] = CookieStore.most + step
                guard uses.count > CookieStore.most, let oldest = uses.min(by: { $0.value < $1.value }) else {
                    continue
                }
                uses[oldest.key] = nil
            }
        }
        #expect(Set(store.inOrder.map(\.domain)) == Set(uses.keys.map { "d\($0).example" }))
        #expect(store.eviction.looks <= 4 * 4_000)
    }
}
