// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 sections 4.2, 5.1 and 5.3: how old a response is, and how long it is fresh.
@Suite struct StoredTimesTests {
    private func lifetime(_ pairs: [(String, String)], _ status: HTTPResponse.Status = .ok) -> Int64 {
        Stored.response(status, pairs).times.lifetime
    }

    @Test("Section 4.2.1: max-age before Expires before a guess; s-maxage isn't for private caches") func order() {
        let (date, expires, changed) = (
            ("Date", Stored.date(0)), ("Expires", Stored.date(50)), ("Last-Modified", Stored.date(-100))
        )
        #expect(lifetime([date, expires, changed, ("Cache-Control", "max-age=7")]) == 7)
        #expect(lifetime([date, expires, changed, ("Cache-Control", "s-maxage=7")]) == 50)
        #expect(lifetime([date, expires, changed, ("Cache-Control", "max-age=x")]) == 0)
        #expect(lifetime([date, changed]) == 10)
        #expect(lifetime([date]) == 0)
    }

    @Test(
        "Section 5.3: an invalid date is in the past",
        arguments: [
            ("0", 0), ("-1", 0), ("", 0), ("tomorrow", 0),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:50:37 UTC", 0), ("Sun, 06 Nov 1994 08:50:37 +0000", 0),
            ("Sun, 06 Nov 1994 08:50:37 AEST", 0), ("Sun, 06 Nov 94 08:50:37 GMT", 0),
            ("Sun, 06 Nov 1994 8:50:37 GMT", 0), ("Sun 06 Nov 1994 08:50:37 GMT", 0),
            ("Sun, 06-Nov-1994 08:50:37 GMT", 0), ("Sun, 06  Nov 1994 08:50:37 GMT", 0),
            ("Sun, 06 Nov 1994 08.50.37 GMT", 0), ("sun, 06 NOV 1994 08:50:37 gmt", 60),
            ("SUNDAY, 06-nov-94 08:50:37 Gmt", 60), ("SUN NOV  6 08:50:37 1994", 60),
            ("sun, 06 nov 1994 08:50:37 utc", 0),
        ] as [(String, Int64)]
    ) func expires(_ text: String, _ seconds: Int64) {
        #expect(lifetime([("Date", Stored.date(0)), ("Expires", text)]) == seconds)
    }

    @Test("Of several Expires the earliest counts; a far date doesn't overflow") func severalExpires() {
        let (soon, late) = (("Expires", Stored.date(5)), ("Expires", Stored.date(500)))
        #expect(lifetime([soon, late]) == 5 && lifetime([late, soon]) == 5)
        #expect(lifetime([late, ("Expires", "0")]) == 0)
        #expect(lifetime([("Expires", "Fri, 31 Dec 9999 23:59:59 GMT")]) == 1 << 31)
    }

    @Test("Expires counts from Date, or from the arrival without one") func expiresFrom() {
        #expect(lifetime([("Date", Stored.date(-100)), ("Expires", Stored.date(-40))]) == 60)
        #expect(lifetime([("Expires", Stored.date(60))]) == 60)
        #expect(lifetime([("Date", "foo"), ("Expires", Stored.date(60))]) == 60)
    }

    @Test("Section 4.2.2: guesses, for statuses that allow them or if the response is public") func guesses() {
        let changed = ("Last-Modified", Stored.date(-1_000))
        for code in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501] {
            #expect(lifetime([changed], .init(code: code)) == 100)
        }
        for code in [201, 202, 302, 303, 307, 400, 403, 500, 503, 599] {
            #expect(lifetime([changed], .init(code: code)) == 0)
            #expect(lifetime([changed, ("Cache-Control", "public")], .init(code: code)) == 100)
        }
        #expect(lifetime([("Last-Modified", Stored.date(10))]) == 0)
        #expect(lifetime([("Last-Modified", "Sun, 06 Nov 1904 08:49:37 GMT")]) == 7 * 86_400)
        #expect(Stored.response([("Cache-Control", "private")]).times.isSilent)
        #expect(!Stored.response([changed]).times.isSilent)
    }

    @Test("Section 4.2.3: the age by Date, by Age and the delay, whichever is more") func ages() {
        func age(_ pairs: [(String, String)], delay: Int64 = 0) -> Int64 {
            Stored.response(pairs, delay: delay).times.initialAge
        }
        #expect(age([("Date", Stored.date(-30))]) == 30)
        #expect(age([("Date", Stored.date(30))]) == 0)
        #expect(age([("Date", Stored.date(-30)), ("Age", "50")]) == 50)
        #expect(age([("Age", "50")], delay: 4) == 54)
        #expect(age([("Date", Stored.date(-90)), ("Age", "50")], delay: 4) == 90)
        #expect(age([("Date", Stored.date(-90)), ("Date", Stored.date(0))]) == 90)
        #expect(Stored.response([("Age", "50")], delay: 4).age(after: 6) == 60)
    }

    @Test(
        "Section 5.1: of several the first counts, what is no number doesn't, and the largest is 2^31",
        arguments: [
            ("7200", 7_200), ("0", 0), ("-7200", 0), ("7200.0", 0), ("7200 ", 7_200), ("7200, 0", 7_200),
            ("0, 7200", 0),
            ("7200,x", 7_200), ("x, 7200", 0), ("7200;foo=1", 0), ("\"7200\"", 0), ("99999999999999999999", 1 << 31),
        ] as [(String, Int64)]
    ) func ageField(_ text: String, _ seconds: Int64) {
        #expect(Stored.response([("Age", text)]).times.initialAge == seconds)
    }

    @Test func ofSeveralAgesTheFirstCounts() {
        #expect(Stored.response([("Age", "10"), ("Age", "7200")]).times.initialAge == 10)
    }
}

extension Stored {
    static func response(_ pairs: [(String, String)], delay: Int64 = 0) -> CachedResponse {
        response(.ok, pairs, delay: delay)
    }
}
