// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCache

/// RFC 9211: what is said of a response.
@Suite struct CacheStatusTests {
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
}
