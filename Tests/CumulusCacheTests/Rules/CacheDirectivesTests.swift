// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 sections 1.2.2, 4.2.1, 5.2 and 5.4: what fields say, however they are written.
@Suite struct CacheDirectivesTests {
    private func read(_ lines: String...) -> CacheDirectives {
        CacheDirectives(response: Stored.fields(lines.map { ("Cache-Control", $0) }))
    }

    @Test(
        "Section 1.2.2: a number of seconds has digits only, and the largest is 2^31",
        arguments: [
            ("max-age=60", 60), ("MAX-AGE=60", 60), ("max-age=\"60\"", 60), ("max-age=0060", 60),
            ("max-age=99999999999999999999", 1 << 31), ("max-age=2147483649", 1 << 31),
            ("max-age=-60", 0), ("max-age=60.5", 0), ("max-age=6a", 0), ("max-age=a6", 0), ("max-age=", 0),
            ("max-age", 0),
            ("max-age = 60", 0), ("max-age =60", 0), ("max-age=\"60", 0), ("max-age=\"60\"x", 0), ("max-age=6 0", 0),
            ("max-age='60'", 0), ("max-age=\"6\\0\"", 60),
        ] as [(String, Int64)]
    ) func seconds(_ text: String, _ seconds: Int64) { #expect(read(text).maxAge == seconds) }

    @Test("Section 4.2.1: of several, the shortest counts, wherever they stand") func duplicates() {
        #expect(read("max-age=60, max-age=30").maxAge == 30)
        #expect(read("max-age=30", "max-age=60").maxAge == 30)
        #expect(read("max-age=30", "max-age=x").maxAge == 0)
    }

    @Test("Section 5.2: case doesn't matter, quoted commas don't divide, unknown directives are passed over")
    func grammar() {
        #expect(read("No-Store").noStore)
        #expect(read("foo=\"a, no-store, max-age=1\", public") == read("public"))
        #expect(read("foo=\"\\\"\", no-store").noStore)
        #expect(read(",, ,public,,max-age=5,").maxAge == 5)
        #expect(read("community=\"UCI\", extension, private").isPrivate)
        #expect(read("no-storeage, xmax-age=5") == CacheDirectives())
    }

    @Test("A text without its closing quote hides no directive") func unterminated() {
        #expect(read("foo=\"bar, no-store").noStore)
    }

    @Test("Sections 5.2.2.4 and 5.2.2.7: lists of fields") func qualified() {
        let directives = read("no-cache=\"Set-Cookie, X-Token\", private=\"X-Name\"")
        #expect(!directives.noCache && !directives.isPrivate)
        #expect(directives.noCacheFields == ["set-cookie", "x-token"])
        #expect(read("no-cache=x-token").noCacheFields == ["x-token"])
        #expect(read("no-cache=\"\"").noCache)
        #expect(read("no-cache=\"a\", no-cache").noCache)
    }

    @Test("Section 5.2.1: the directives of requests") func requests() {
        #expect(Stored.request("max-stale").maxStale == .any)
        #expect(Stored.request("max-stale=5").maxStale == .seconds(5))
        #expect(Stored.request("max-stale=x").maxStale == .seconds(0))
        #expect(Stored.request("max-stale, max-stale=7, max-stale=5").maxStale == .seconds(5))
        #expect(Stored.request("min-fresh=5").minFresh == 5)
        #expect(Stored.request("min-fresh=x").minFresh == 1 << 31)
        #expect(Stored.request("only-if-cached").onlyIfCached)
    }

    @Test("Section 5.4: Pragma counts in requests, and only without Cache-Control") func pragma() {
        #expect(CacheDirectives(request: Stored.fields([("Pragma", "foo, no-cache")])).noCache)
        #expect(CacheDirectives(request: Stored.fields([("Pragma", "foo")])) == CacheDirectives())
        let both = Stored.fields([("Pragma", "no-cache"), ("Cache-Control", "max-age=5")])
        #expect(!CacheDirectives(request: both).noCache)
        #expect(CacheDirectives(response: Stored.fields([("Pragma", "no-cache")])) == CacheDirectives())
    }
}
