// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCache

/// RFC 9211: what is said of a response.
@Suite(.timeLimit(.minutes(10))) struct CacheStatusTests {
    @Test(arguments: [
        "hit; ttl=30", "hit; ttl=-5; detail=refreshing", "fwd=uri-miss; stored", "fwd=stale; fwd-status=304; ttl=60",
        "fwd=vary-miss", "hit; ttl=9; collapsed", "fwd=bypass", "fwd=request; ttl=5; stored",
    ]) func aNoteIsReadAsItWasWritten(_ note: String) {
        #expect(CacheStatus(note: note)?.note == note)
        #expect(CacheStatus(note: note)?.description == "Cumulus; \(note)")
    }

    @Test func anotherStoresNoteIsNone() {
        for note in ["", "replayed", "ttl=5", "hit; by=me"] { #expect(CacheStatus(note: note) == nil) }
    }

    @Test func whatItMeans() {
        #expect(CacheStatus(note: "hit; ttl=-1")?.isStale == true && CacheStatus(note: "hit; ttl=1")?.isStale == false)
        #expect(CacheStatus(note: "fwd=stale; fwd-status=304")?.isRevalidated == true)
    }

    /// Keeps what an observer sees.
    private final class Seen: Sendable {
        let statuses = Mutex<[String]>([])

        func observe(_ event: CallEvent) {
            if let status = event.cacheStatus { statuses.withLock { $0.append("\(status)") } }
        }
    }

    @Test func anObserverCountsEachCallOnce() async throws {
        let (site, seen) = (CachedSite.validating([.cacheControl: "max-age=60, stale-if-error=60"]), Seen())
        let watched = site.site["x"].with { $0.observers.append(seen.observe) }
        for _ in 0..<2 { _ = try await watched.get() }
        for try await _ in try await watched.call(.get).stream() {}
        site.clock.advance(by: .seconds(60))
        _ = try await watched.get()
        _ = try await watched.with { $0.cache = nil }.get()
        #expect(
            seen.statuses.withLock(\.self) == [
                "Cumulus; fwd=uri-miss; stored", "Cumulus; hit; ttl=60", "Cumulus; hit; ttl=60",
                "Cumulus; fwd=stale; fwd-status=304; ttl=60",
            ]
        )
    }
}
