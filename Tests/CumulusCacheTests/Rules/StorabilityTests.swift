// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 sections 3, 3.1 and 3.2: what is kept.
@Suite struct StorabilityTests {
    private func isKept(
        _ status: Int = 200,
        _ cacheControl: String? = nil,
        _ others: [(String, String)] = [],
        request: String? = nil
    ) -> Bool {
        let own = cacheControl.map { [("Cache-Control", $0)] } ?? []
        let response = Stored.response(.init(code: status), own + others)
        return Storability.allows(response, request: Stored.request(request))
    }

    @Test("Section 3: any final status with a lifetime, but no part and no 304") func statuses() {
        for code in [200, 201, 203, 204, 299, 301, 302, 307, 400, 404, 410, 451, 499, 500, 503, 599] {
            #expect(isKept(code, "max-age=60"))
            #expect(isKept(code, nil, [("Expires", Stored.date(60))]))
        }
        #expect(!isKept(206, "max-age=60") && !isKept(304, "max-age=60") && !isKept(103, "max-age=60"))
    }

    @Test("Section 3: without a lifetime, only statuses that allow a guess, or public and private ones") func guessed()
    {
        let changed = ("Last-Modified", Stored.date(-1_000))
        #expect(isKept(200, nil, [changed]) && isKept(404, nil, [changed]))
        #expect(!isKept(302, nil, [changed]) && !isKept(500, nil, [changed]))
        #expect(isKept(302, "private", [changed]) && isKept(302, "public", [changed]))
        #expect(isKept(200, nil, [("ETag", "\"1\"")]))
    }

    @Test("Sections 5.2.1.5 and 5.2.2.5: no-store of either") func noStore() {
        #expect(!isKept(200, "max-age=60, no-store") && !isKept(200, "no-store, max-age=60, public"))
        #expect(!isKept(200, "max-age=60", request: "no-store"))
    }

    @Test("Section 5.2.2.3: must-understand goes before no-store, for statuses that we know") func mustUnderstand() {
        #expect(isKept(200, "max-age=60, must-understand, no-store"))
        #expect(isKept(200, "max-age=60, must-understand"))
        #expect(!isKept(499, "max-age=60, must-understand") && !isKept(599, "max-age=60, must-understand, no-store"))
    }

    @Test("Section 4.1: a response that varies by anything is not kept") func varyAnything() {
        for vary in ["*", "Accept, *", "*, Accept", " *"] { #expect(!isKept(200, "max-age=60", [("Vary", vary)])) }
        #expect(!isKept(200, "max-age=60", [("Vary", "Accept"), ("Vary", "*")]))
    }

    @Test("Section 3.5: a private cache may keep what needed proof, and what is private") func privateOnes() {
        #expect(isKept(200, "private, max-age=60") && isKept(200, "private=\"x\", max-age=60"))
    }

    @Test("Section 3.1: fields of the connection and of proxies are dropped, and those that Connection names")
    func fields() {
        let pairs = [
            ("Connection", "X-Hop, close"), ("X-Hop", "1"), ("X-End", "2"), ("Keep-Alive", "3"), ("TE", "4"),
            ("Transfer-Encoding", "chunked"), ("Upgrade", "h2c"), ("Proxy-Authenticate", "5"),
            ("Proxy-Connection", "6"),
            ("Proxy-Authentication-Info", "7"), ("Date", Stored.date(0)), ("Set-Cookie", "a=1"),
        ]
        #expect(Stored.response(pairs).fields.map(\.name.canonicalName) == ["x-end", "date"])
    }

    @Test("Section 5.2.2.4: the fields that no-cache lists are not kept") func qualified() {
        let response = Stored.response([
            ("Cache-Control", "no-cache=\"X-A, x-b\""), ("X-A", "1"), ("X-B", "2"), ("X-C", "3"),
        ])
        #expect(response.fields[.init("X-A")!] == nil && response.fields[.init("X-B")!] == nil)
        #expect(response.fields[.init("X-C")!] == "3")
    }

    @Test("RFC 9110 section 6.6.1: a Date is added if there is none") func date() {
        #expect(Stored.response([]).fields[.date] == Stored.date(0))
    }

    @Test("Section 3.2: a 304 replaces fields, except those that describe the stored bytes") func updates() {
        let stored = Stored.response([
            ("Content-Length", "5"), ("Content-Encoding", "gzip"), ("X-A", "old"), ("X-A", "older"), ("X-B", "kept"),
            ("Age", "99"), ("Cache-Control", "max-age=1"), ("Content-Type", "a/b"),
        ])
        let new = Stored.fields([
            ("Content-Length", "0"), ("Content-Encoding", "br"), ("X-A", "new"), ("Connection", "X-H"), ("X-H", "1"),
            ("Cache-Control", "max-age=9"), ("Content-Type", "c/d"), ("X-N", "added"),
        ])
        let updated = stored.confirmed(
            by: new,
            request: [:],
            responseTime: Stored.arrival.addingTimeInterval(60),
            delay: 0
        )
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { updated.fields[$0] } }
        #expect((value("Content-Length"), value("Content-Encoding")) == ("5", "gzip"))
        #expect((value("X-A"), value("X-B"), value("X-N"), value("X-H")) == ("new", "kept", "added", nil))
        #expect((value("Age"), value("Content-Type"), value("Date")) == (nil, "c/d", Stored.date(60)))
        #expect((updated.times.lifetime, updated.times.initialAge) == (9, 0))
    }
}
