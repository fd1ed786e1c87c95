// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// The store: which cookies a request gets, in which order, and which are evicted.
@Suite struct CookieStoreTests {
    private let now: Int64 = 1_800_000_000

    private func taking(_ fields: [(String, String)]) throws -> CookieStore {
        var store = CookieStore()
        for (url, field) in fields { try take(field, from: url, into: &store) }
        return store
    }

    private func take(_ field: String, from url: String, into store: inout CookieStore, now: Int64? = nil) throws {
        let url = try RequestURL(url)
        let now = now ?? self.now
        let received = try ReceivedCookie(parsing: Array(field.utf8))
        let isConfidential = url.origin.isConfidential
        let path = url.path[...]
        let cookie = try Cookie(received, from: url.origin, path: path, isConfidential: isConfidential, now: now)
        try store.take(cookie, isConfidential: isConfidential, now: now)
    }

    private func sent(_ store: inout CookieStore, to url: String, now: Int64? = nil) throws -> String? {
        let url = try RequestURL(url)
        let facts = CookieStore.RequestFacts(
            url.origin,
            path: url.path[...],
            isConfidential: url.origin.isConfidential
        )
        return store.field(for: facts, now: now ?? self.now).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Which requests get it",
        arguments: [
            ("https://www.example.com/", "a=1", "https://www.example.com/x", true),
            ("https://www.example.com/", "a=1", "https://www.example.com:8443/x", true),
            ("https://www.example.com/", "a=1", "http://www.example.com/x", true),
            ("https://www.example.com/", "a=1", "https://www.example.com./x", true),
            ("https://www.example.com/", "a=1", "https://example.com/", false),
            ("https://www.example.com/", "a=1", "https://a.www.example.com/", false),
            ("https://www.example.com/", "a=1; Domain=example.com", "https://example.com/", true),
            ("https://www.example.com/", "a=1; Domain=example.com", "https://b.a.example.com/", true),
            ("https://www.example.com/", "a=1; Domain=example.com", "https://notexample.com/", false),
            ("https://www.example.com/", "a=1; Domain=example.com", "https://example.com.evil.org/", false),
            ("https://www.example.com/", "a=1; Secure", "http://www.example.com/", false),
            ("https://www.example.com/", "a=1; Secure", "https://www.example.com/", true),
            ("http://127.0.0.1/", "a=1; Secure", "http://127.0.0.1:99/", true),
            ("http://127.0.0.1/", "a=1", "http://1.127.0.0.1.example/", false),
            ("https://x.example/a/b", "a=1", "https://x.example/a", true),
            ("https://x.example/a/b", "a=1", "https://x.example/a/", true),
            ("https://x.example/a/b", "a=1", "https://x.example/a/c/d", true),
            ("https://x.example/a/b", "a=1", "https://x.example/ab", false),
            ("https://x.example/a/b", "a=1", "https://x.example/", false),
            ("https://x.example/", "a=1; Path=/a/", "https://x.example/a", false),
            ("https://x.example/", "a=1; Path=/a/", "https://x.example/a/b", true),
            ("https://x.example/", "a=1; Path=/a", "https://x.example/a?q", true),
            ("https://x.example/", "a=1; Path=/A", "https://x.example/a", false),
            ("https://ada.github.io/", "a=1", "https://bob.github.io/", false),
        ]
    )
    func recipients(from: String, field: String, to: String, isSent: Bool) throws {
        var store = try taking([(from, field)])
        #expect(try sent(&store, to: to) == (isSent ? "a=1" : nil))
    }

    @Test func theLongestPathComesFirstAndThenTheOldest() throws {
        var store = try taking([
            ("https://www.example.com/", "a=1"), ("https://www.example.com/x/", "b=2"),
            ("https://www.example.com/", "c=3; Domain=example.com"),
            ("https://www.example.com/x/", "d=4; Domain=example.com"), ("https://www.example.com/", "e=5"),
        ])
        #expect(try sent(&store, to: "https://www.example.com/x/y") == "b=2; d=4; a=1; c=3; e=5")
        // A new value keeps the old position.
        try take("a=6", from: "https://www.example.com/", into: &store)
        #expect(try sent(&store, to: "https://www.example.com/x/y") == "b=2; d=4; a=6; c=3; e=5")
        #expect(store.count == 5)
    }

    @Test func nameDomainPathAndHostOnlyTellCookiesApart() throws {
        var store = try taking([
            ("https://www.example.com/", "a=1"), ("https://www.example.com/", "a=2; Domain=www.example.com"),
            ("https://www.example.com/", "a=3; Path=/x"), ("https://www.example.com/", "A=4"),
            ("https://www.example.com/", "v"),
        ])
        #expect(store.count == 5)
        try take("w", from: "https://www.example.com/", into: &store)
        #expect(store.count == 5)
        #expect(try sent(&store, to: "https://www.example.com/x") == "a=3; a=1; a=2; A=4; w")
    }

    @Test func whatEndsIsGoneAndTakesAnEarlierOneAlong() throws {
        var store = try taking([("https://x.example/", "a=1; Max-Age=10"), ("https://x.example/", "b=2")])
        #expect(try sent(&store, to: "https://x.example/", now: now + 9) == "a=1; b=2")
        #expect(try sent(&store, to: "https://x.example/", now: now + 10) == "b=2")
        try take("b=; Max-Age=0", from: "https://x.example/", into: &store)
        #expect(try sent(&store, to: "https://x.example/") == "a=1")
        try take("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from: "https://x.example/", into: &store)
        #expect(store.count == 0 && store.groups.isEmpty)
    }

    @Test(
        "plain HTTP can't overwrite, hide or remove a secure cookie",
        arguments: [
            ("a=2", "http://www.example.com/", true), ("a=2; Domain=example.com", "http://www.example.com/", true),
            ("a=; Max-Age=0", "http://www.example.com/", true), ("a=2; Path=/login/x", "http://www.example.com/", true),
            ("a=2; Domain=sub.www.example.com", "http://sub.www.example.com/", true),
            // Another name, and another site.
            ("b=2", "http://www.example.com/", false), ("a=2", "http://www.example.org/", false),
            // A sibling or parent path makes another cookie.
            ("a=2; Path=/other", "http://www.example.com/", false), ("A=2", "http://www.example.com/", false),
        ]
    )
    func secureCookiesAreLeftAlone(field: String, url: String, isRefused: Bool) throws {
        let secure =
            url == "http://www.example.com/" && field.contains("/other")
            ? "a=1; Secure; Path=/login" : "a=1; Secure; Domain=www.example.com"
        var store = try taking([("https://www.example.com/", secure)])
        if isRefused {
            #expect(throws: CookieRefusal.overlaysSecure) { try take(field, from: url, into: &store) }
            #expect(try sent(&store, to: "https://www.example.com/login/x") == "a=1")
        } else {
            try take(field, from: url, into: &store)
            #expect(store.count == 2)
        }
        // Over TLS all of this is allowed.
        try take("a=3; Domain=www.example.com", from: "https://www.example.com/", into: &store)
    }

    @Test func aDomainHas180CookiesAndTheLeastUsedOpenOneGoesFirst() throws {
        var store = CookieStore()
        for number in 0..<180 {
            let path = number == 9 ? "; Path=/other" : number < 150 ? "" : "; Path=/used"
            try take("c\(number)=1\(number < 2 ? "; Secure" : "")\(path)", from: "https://x.example/", into: &store)
        }
        // Used since: all except the one with another path. A request takes 150.
        _ = try sent(&store, to: "https://x.example/")
        _ = try sent(&store, to: "https://x.example/used")
        try take("new=1", from: "https://x.example/", into: &store)
        #expect(store.count == 180)
        #expect(!store.cookies(now: now).contains { $0.name == "c9" })
        // The secure ones stay as long as there are others.
        for number in 0..<200 { try take("d\(number)=1", from: "https://x.example/", into: &store) }
        #expect(store.count == 180)
        #expect(Set(store.cookies(now: now).map(\.name)).isSuperset(of: ["c0", "c1"]))
    }

    @Test func whatHasEndedGoesBeforeWhatIsUsed() throws {
        var store = CookieStore()
        for number in 0..<180 {
            try take("c\(number)=1\(number == 30 ? "; Max-Age=5" : "")", from: "https://x.example/", into: &store)
        }
        try take("new=1", from: "https://x.example/", into: &store, now: now + 6)
        #expect(store.count == 180)
        #expect(
            store.cookies(now: now).contains { $0.name == "c0" }
                && !store.cookies(now: now).contains { $0.name == "c30" }
        )
    }

    @Test func aJarHas3000CookiesAndTheLeastUsedGoesFirst() throws {
        var store = CookieStore()
        for domain in 0..<300 {
            for number in 0..<10 { try take("c\(number)=1", from: "https://d\(domain).example/", into: &store) }
        }
        #expect(store.count == 3_000)
        _ = try sent(&store, to: "https://d0.example/")
        try take("new=1", from: "https://new.example/", into: &store)
        #expect(store.count == 3_000)
        #expect(try sent(&store, to: "https://d0.example/") == (0..<10).map { "c\($0)=1" }.joined(separator: "; "))
        #expect(try sent(&store, to: "https://d1.example/")?.hasPrefix("c1=1") == true)
        #expect(try sent(&store, to: "https://new.example/") == "new=1")
    }

    @Test("one site's many hosts do not displace another site's cookies") func aSiteHas180Cookies() throws {
        var store = CookieStore()
        try take("sid=mine; Secure", from: "https://bank.example/", into: &store)
        for host in 0..<10 {
            for number in 0..<50 { try take("c\(number)=1", from: "https://h\(host).evil.example/", into: &store) }
        }
        #expect(store.count == 1 + CookieStore.mostOfSite)
        #expect(try sent(&store, to: "https://bank.example/") == "sid=mine")
        #expect(try sent(&store, to: "https://h9.evil.example/")?.hasSuffix("c49=1") == true)
    }

    @Test func aFieldHas150CookiesAndEightKibibytesAtMost() throws {
        var store = CookieStore()
        let long = String(repeating: "v", count: 4_000)
        for number in 0..<4 { try take("c\(number)=\(long)", from: "https://x.example/", into: &store) }
        #expect(try sent(&store, to: "https://x.example/").map { $0.utf8.count <= 8_190 && $0.contains("c1=") } == true)
        var labels = "example"
        var many = CookieStore()
        for level in 0..<5 {
            labels = "l\(level).\(labels)"
            for number in 0..<50 { try take("c\(number)=1; Domain=\(labels)", from: "https://\(labels)/", into: &many) }
        }
        #expect(try sent(&many, to: "https://\(labels)/")?.split(separator: ";").count == 150)
    }

    @Test(
        "Requests that another site caused",
        arguments: [
            ("SameSite=Strict", true, false), ("SameSite=Lax", true, true), ("SameSite=None", true, true),
            ("", true, true),
            ("SameSite=Strict", false, false), ("SameSite=Lax", false, false), ("SameSite=None", false, true),
            ("", false, true),
        ]
    )
    func crossSite(attribute: String, isSafe: Bool, isSent: Bool) throws {
        var store = try taking([("https://x.example/", "a=1; \(attribute)")])
        let url = try RequestURL("https://x.example/")
        var facts = CookieStore.RequestFacts(
            url.origin,
            path: url.path[...],
            isConfidential: url.origin.isConfidential
        )
        facts.isCrossSite = true
        facts.isSafe = isSafe
        #expect((store.field(for: facts, now: now) != nil) == isSent)
        #expect(try sent(&store, to: "https://x.example/") == "a=1")
    }

    @Test(
        "Two origins of the same site",
        arguments: [
            ("https://a.example.com", "https://b.example.com", true),
            ("https://a.example.com", "http://b.example.com", false),
            ("https://a.example.com", "https://a.example.com:8443", true),
            ("https://a.github.io", "https://b.github.io", false),
            ("https://127.0.0.1", "https://127.0.0.1:1", true), ("https://127.0.0.1", "https://128.0.0.1", false),
            ("https://intranet", "https://intranet", true), ("https://a.co.uk", "https://b.co.uk", false),
        ]
    )
    func sites(one: String, other: String, areOne: Bool) throws {
        #expect(CookieDomain.areOneSite(try RequestURL(one).origin, try RequestURL(other).origin) == areOne)
    }

    @Test func changesAreLaidOverWhatOthersChanged() throws {
        let before = try taking([
            ("https://x.example/", "a=1"), ("https://x.example/", "b=1"), ("https://x.example/", "c=1"),
        ])
        var (mine, theirs) = (before, before)
        try take("a=2", from: "https://x.example/", into: &mine)
        try take("b=; Max-Age=0", from: "https://x.example/", into: &mine)
        try take("c=3", from: "https://x.example/", into: &theirs)
        try take("d=4", from: "https://x.example/", into: &theirs)
        var both = theirs.changed(from: before, to: mine, now: now)
        #expect(try sent(&both, to: "https://x.example/") == "a=2; c=3; d=4")
    }
}
