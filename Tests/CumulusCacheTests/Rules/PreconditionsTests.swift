// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9110 section 13 and RFC 9111 section 4.3: conditions, and what confirms what.
@Suite struct PreconditionsTests {
    private let stored = Stored.response([("ETag", "\"a\""), ("Last-Modified", Stored.date(-100)), ("X", "1")])

    private func isFalse(_ pairs: [(String, String)], _ response: CachedResponse? = nil) -> Bool {
        Preconditions.areFalse(Stored.fields(pairs), for: response ?? stored)
    }

    @Test("Section 4.3.2: If-None-Match compares weakly, and goes before the date") func ifNoneMatch() {
        for tags in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "\"b\",W/\"a\"", "*"] {
            #expect(isFalse([("If-None-Match", tags)]))
        }
        for tags in ["\"b\"", "a", "\"A\"", "\"b, a\""] { #expect(!isFalse([("If-None-Match", tags)])) }
        #expect(isFalse([("If-None-Match", "\"b\""), ("If-None-Match", "\"a\"")]))
        #expect(!isFalse([("If-None-Match", "\"b\""), ("If-Modified-Since", Stored.date(0))]))
        #expect(!isFalse([("If-None-Match", "\"a\"")], Stored.response(.notFound, [("ETag", "\"a\"")])))
    }

    @Test("Section 4.3.2: If-Modified-Since compares with Last-Modified, or with Date") func ifModifiedSince() {
        #expect(
            isFalse([("If-Modified-Since", Stored.date(-100))]) && isFalse([("If-Modified-Since", Stored.date(-1))])
        )
        #expect(!isFalse([("If-Modified-Since", Stored.date(-101))]) && !isFalse([("If-Modified-Since", "yesterday")]))
        let undated = Stored.response([])
        #expect(isFalse([("If-Modified-Since", Stored.date(0))], undated))
        #expect(!isFalse([("If-Modified-Since", Stored.date(-1))], undated))
    }

    @Test("RFC 9110 section 15.4.5: what a 304 has") func notModified() {
        let fields = Preconditions.notModified(stored)
        #expect(fields[.eTag] == "\"a\"" && fields[.date] != nil && fields[.init("X")!] == nil)
    }

    @Test("Section 4.3.1: the question has the tag and the date") func lookup() {
        func asked(_ pairs: [(String, String)]) -> HTTPFields {
            var asked = HTTPFields()
            Preconditions.add(to: &asked, for: Stored.response(pairs))
            return asked
        }
        #expect(
            asked([("ETag", "W/\"a\""), ("Last-Modified", "x")])
                == Stored.fields([("If-None-Match", "W/\"a\""), ("If-Modified-Since", "x")])
        )
        // Some servers leave out the quotes.
        #expect(asked([("ETag", "bare")]) == Stored.fields([("If-None-Match", "bare")]))
        for tag in ["not one", "\"", "\"a", "a,b", "\"a\"b\""] { #expect(asked([("ETag", tag)]) == [:], "\(tag)") }
    }

    @Test("Section 4.3.4: a 304 confirms what it names") func confirmation() {
        let other = Stored.response([("ETag", "\"b\"")])
        func confirmed(_ pairs: [(String, String)]) -> CachedResponse? {
            Preconditions.confirmed(by: Stored.fields(pairs), among: [stored, other], validated: stored)
        }
        #expect(confirmed([]) === stored && confirmed([("ETag", "\"a\"")]) === stored)
        #expect(confirmed([("ETag", "W/\"a\"")]) === stored && confirmed([("ETag", "\"b\"")]) === other)
        #expect(confirmed([("ETag", "\"c\"")]) == nil)
        #expect(confirmed([("Last-Modified", Stored.date(-100))]) === stored)
        #expect(confirmed([("Last-Modified", Stored.date(-99))]) == nil)
    }

    @Test("Section 4.3.5: the response to a HEAD speaks of what it doesn't contradict") func head() {
        func speaks(_ pairs: [(String, String)]) -> Bool {
            Preconditions.head(Stored.fields(pairs), speaksOf: stored, length: 5)
        }
        #expect(speaks([]) && speaks([("ETag", "\"a\""), ("Content-Length", "5")]))
        #expect(!speaks([("ETag", "\"b\"")]) && !speaks([("Content-Length", "6")]))
        #expect(!speaks([("Last-Modified", Stored.date(0))]))
    }
}
