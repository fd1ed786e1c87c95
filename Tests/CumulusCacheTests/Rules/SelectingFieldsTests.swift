// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 section 4.1: whether a stored response fits a request.
@Suite struct SelectingFieldsTests {
    private func fits(_ vary: String, _ stored: [(String, String)], _ now: [(String, String)]) -> Bool {
        let selecting = SelectingFields(vary: Stored.fields([("Vary", vary)]), request: Stored.fields(stored))
        return selecting?.match(Stored.fields(now)) ?? false
    }

    @Test func theFieldsThatVaryNamesMustBeTheSame() {
        #expect(fits("Foo", [("Foo", "1")], [("foo", "1"), ("Bar", "2")]))
        #expect(!fits("Foo", [("Foo", "1")], [("Foo", "2")]))
        #expect(!fits("Foo, BAR", [("Foo", "1"), ("Bar", "1")], [("Foo", "1"), ("Bar", "2")]))
        #expect(fits("", [("Foo", "1")], [("Foo", "2")]))
    }

    /// On a disk there are names and digests.
    @Test func digestsFitTheSameRequests() throws {
        let long = String(repeating: "x", count: 1_000)
        let stored = Stored.fields([("Foo", "1"), ("Long", long)])
        let selecting = try #require(
            SelectingFields(vary: Stored.fields([("Vary", "Foo, Bar, Long")]), request: stored)
        )
        let read = SelectingFields(selecting.fields.map { .init(name: $0.name, digest: $0.digest) })
        #expect(read == selecting && read.match(stored) && selecting.match(stored))
        for other in [[("Foo", "2"), ("Long", long)], [("Foo", "1"), ("Bar", "1"), ("Long", long)], [("Foo", "1")]] {
            #expect(!read.match(Stored.fields(other)) && !selecting.match(Stored.fields(other)))
        }
        // The same text in another field has another digest.
        let digests = ["a", "b"].map { SelectingFields.Field(name: $0, value: "1").digest }
        #expect(digests[0] != digests[1])
    }

    @Test func aHostileNumberOfNamesFitsNothing() {
        func names(_ count: Int) -> String { (0..<count).map { "n\($0)" }.joined(separator: ", ") }
        #expect(fits(names(64), [], []))
        #expect(!fits(names(65), [], []))
    }

    @Test func whatIsAbsentMustBeAbsent() {
        #expect(fits("Foo", [], []))
        #expect(!fits("Foo", [], [("Foo", "1")]) && !fits("Foo", [("Foo", "1")], []))
        #expect(!fits("Foo", [], [("Foo", "")]))
    }

    @Test func linesAndBlanksAreNormalizedButNotTheOrder() {
        #expect(fits("Foo", [("Foo", "1"), ("Foo", "2")], [("Foo", "1, 2")]))
        #expect(fits("Foo", [("Foo", "1,2")], [("Foo", " 1 ,\t2")]))
        #expect(fits("Foo", [("Foo", "\"a,b\",c")], [("Foo", "\"a,b\", c")]))
        #expect(!fits("Foo", [("Foo", "\"a,b\"")], [("Foo", "\"a, b\"")]))
        #expect(!fits("Foo", [("Foo", "1, 2")], [("Foo", "2, 1")]))
        #expect(!fits("Foo", [("Foo", "a")], [("Foo", "A")]))
        #expect(fits("Accept-Language", [("Accept-Language", "en,DE")], [("Accept-Language", "en, de")]))
        #expect(!fits("Cookie", [("Cookie", "a=1,b")], [("Cookie", "a=1, b")]))
    }
}
