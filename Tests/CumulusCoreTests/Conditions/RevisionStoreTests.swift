// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// The memory of revisions is limited, and forgets the least recently used.
@Suite(.serialized) struct RevisionStoreTests {
    private let origin = Origin(scheme: .https, host: "a.example")
    private let get = RevisionStore.Variant(method: "GET", accept: nil, language: nil)

    private func place(_ target: String) -> RevisionStore.Place { RevisionStore.Place(origin: origin, target: target) }

    private func revision(_ tag: String) throws -> Revision { try #require(Revision([.eTag: tag])) }

    @Test func itHoldsAThousandPlacesAtMost() throws {
        let store = RevisionStore()
        for number in 0..<5000 {
            store.remember(try revision("\"\(number)\""), at: place("/\(number)"), of: get)
            #expect(store.revision(at: place("/0"), of: get) != nil)
            #expect(store.count <= RevisionStore.limit)
        }
        #expect(store.count > RevisionStore.limit / 2)
        #expect(store.revision(at: place("/1"), of: get) == nil)
        #expect(store.revision(at: place("/4999"), of: get)?.entityTag == "\"4999\"")
    }

    @Test func aPlaceHoldsAFewVariantsOnly() throws {
        let store = RevisionStore()
        let variants = (0..<50).map { RevisionStore.Variant(method: "GET", accept: "\($0)", language: nil) }
        for (number, variant) in variants.enumerated() {
            store.remember(try revision("\"\(number)\""), at: place("/"), of: variant)
        }
        #expect(variants.filter { store.revision(at: place("/"), of: $0) != nil }.count == 32)
        #expect(store.latest(at: place("/"), for: [])?.revision.entityTag == "\"49\"")
    }

    @Test func whatANewerOneDoesNotSayStays() throws {
        let store = RevisionStore()
        store.remember(try #require(Revision([.eTag: "\"1\"", .lastModified: "then"])), at: place("/"), of: get)
        store.remember(try revision("\"2\""), at: place("/"), of: get)
        #expect(store.revision(at: place("/"), of: get)?.entityTag == "\"2\"")
        #expect(store.revision(at: place("/"), of: get)?.lastModified == "then")
    }

    @Test func aTagThatIsTooLongIsNotRemembered() {
        #expect(Revision([.eTag: String(repeating: "x", count: 2000)]) == nil)
        #expect(Revision([:]) == nil)
    }

    @Test func forgettingStopsAtSegments() throws {
        let store = RevisionStore()
        for target in ["/a", "/a?x=1", "/a/b", "/ab", "/"] {
            store.remember(try revision("\"1\""), at: place(target), of: get)
        }
        store.forget(below: "/a", at: origin)
        #expect(store.count == 2)
        store.forget(below: "/", at: Origin(scheme: .http, host: "a.example"))
        #expect(store.count == 2)
        store.forget(below: "/", at: origin)
        #expect(store.count == 0)
    }
}
