// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 sections 4.2.4, 5.2.1 and 5.2.2, RFC 5861 and RFC 8246: whether a stored response may be used.
@Suite struct ReuseTests {
    private func reuse(
        _ response: String,
        request: String? = nil,
        after resident: Int64?,
        default lifetime: Int64? = nil
    ) -> Reuse {
        Reuse(
            Stored.response([("Cache-Control", response)]),
            request: Stored.request(request),
            resident: resident,
            defaultLifetime: lifetime
        )
    }

    @Test("Section 4.2: fresh while the lifetime is longer than the age") func freshness() {
        #expect(reuse("max-age=60", after: 0) == .use(age: 0, ttl: 60))
        #expect(reuse("max-age=60", after: 59) == .use(age: 59, ttl: 1))
        #expect(reuse("max-age=60", after: 60) == .stale)
        #expect(reuse("max-age=60", after: nil) == .stale)
        #expect(reuse("public", after: 9, default: 10) == .use(age: 9, ttl: 1))
        #expect(reuse("max-age=0", after: 9, default: 10) == .stale)
    }

    @Test("Section 5.2.1: what a request asks for") func requests() {
        #expect(reuse("max-age=60", request: "no-cache", after: 0) == .refused)
        #expect(reuse("max-age=60", request: "max-age=0", after: 0) == .refused)
        #expect(reuse("max-age=60", request: "max-age=5", after: 5) == .use(age: 5, ttl: 55))
        #expect(reuse("max-age=60", request: "max-age=5", after: 6) == .refused)
        #expect(reuse("max-age=60", request: "max-age=x", after: 1) == .refused)
        #expect(reuse("max-age=60", request: "min-fresh=55", after: 5) == .use(age: 5, ttl: 55))
        #expect(reuse("max-age=60", request: "min-fresh=56", after: 5) == .refused)
    }

    @Test("Section 5.2.1.2: max-stale, with and without a number") func maxStale() {
        #expect(reuse("max-age=60", request: "max-stale", after: 9_999) == .use(age: 9_999, ttl: -9_939))
        #expect(reuse("max-age=60", request: "max-stale=10", after: 70) == .use(age: 70, ttl: -10))
        #expect(reuse("max-age=60", request: "max-stale=10", after: 71) == .stale)
        #expect(reuse("max-age=60", request: "max-stale, max-age=80", after: 70) == .use(age: 70, ttl: -10))
        #expect(reuse("max-age=60", request: "max-stale, max-age=65", after: 70) == .refused)
        #expect(reuse("max-age=60, must-revalidate", request: "max-stale", after: 70) == .stale)
        #expect(reuse("max-age=60, no-cache", request: "max-stale", after: 5) == .stale)
        #expect(reuse("max-age=60, proxy-revalidate", request: "max-stale", after: 70) == .use(age: 70, ttl: -10))
        #expect(reuse("max-age=60, s-maxage=1", request: "max-stale", after: 70) == .use(age: 70, ttl: -10))
    }

    @Test("Section 5.2.2.4: no-cache has to be validated, unless it names fields") func noCache() {
        #expect(reuse("max-age=60, no-cache", after: 0) == .stale)
        #expect(reuse("max-age=60, no-cache=\"x\"", after: 0) == .use(age: 0, ttl: 60))
    }

    @Test("RFC 8246: what is immutable isn't asked for again while it is fresh") func immutable() {
        #expect(reuse("max-age=60, immutable", request: "max-age=0", after: 5) == .use(age: 5, ttl: 55))
        #expect(reuse("max-age=60, immutable", request: "no-cache", after: 5) == .refused)
        #expect(reuse("max-age=60, immutable", after: 60) == .stale)
        #expect(reuse("max-age=60, immutable", request: "max-age=4", after: 5) == .refused)
    }

    @Test("RFC 5861 section 3: stale while it is revalidated") func staleWhileRevalidate() {
        let response = "max-age=60, stale-while-revalidate=10"
        #expect(reuse(response, after: 59) == .use(age: 59, ttl: 1))
        #expect(reuse(response, after: 69) == .refresh(age: 69, ttl: -9))
        #expect(reuse(response, after: 70) == .refresh(age: 70, ttl: -10))
        #expect(reuse(response, after: 71) == .stale)
        #expect(reuse(response, request: "only-if-cached", after: 65) == .stale)
        #expect(reuse(response, request: "min-fresh=1", after: 65) == .stale)
        #expect(reuse("\(response), must-revalidate", after: 65) == .stale)
    }

    @Test("RFC 5861 section 4: stale if there is an error") func staleIfError() {
        func allows(_ response: String, request: String? = nil, after resident: Int64) -> Bool {
            Reuse.mayReplaceError(
                Stored.response([("Cache-Control", response)]),
                request: Stored.request(request),
                resident: resident,
                defaultLifetime: nil
            )
        }
        #expect(allows("max-age=60, stale-if-error=10", after: 70))
        #expect(!allows("max-age=60, stale-if-error=10", after: 71) && !allows("max-age=60", after: 61))
        #expect(allows("max-age=60", request: "stale-if-error=10", after: 70))
        #expect(!allows("max-age=60, stale-if-error=10", request: "stale-if-error=5", after: 70))
        #expect(!allows("max-age=60, stale-if-error=10, must-revalidate", after: 61))
        #expect(!allows("max-age=60, stale-if-error=10, no-cache", after: 61))
    }
}
