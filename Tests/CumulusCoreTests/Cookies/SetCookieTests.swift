// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import Testing

@testable import CumulusCore

/// The parsing of `Set-Cookie` fields (RFC 6265bis sections 5.6 and 5.7), rule by rule.
@Suite struct SetCookieTests {
    static let now: Int64 = 1_800_000_000

    private func cookie(_ field: String, from url: String = "https://www.example.com/a/b?c=/d") throws -> Cookie {
        try cookie(bytes: Array(field.utf8), from: url)
    }

    private func cookie(bytes: [UInt8], from url: String = "https://www.example.com/a/b") throws -> Cookie {
        let url = try RequestURL(url)
        let received = try ReceivedCookie(parsing: bytes)
        let path = url.target.before("?")
        let isConfidential = url.origin.isConfidential
        return try Cookie(
            received,
            from: url.origin,
            path: path,
            isConfidential: isConfidential,
            now: SetCookieTests.now
        )
    }

    @Test(arguments: [
        ("a=1", "a", "1"), ("a=", "a", ""), ("  a \t=\t 1 ", "a", "1"), ("a=b=c", "a", "b=c"), ("a", "", "a"),
        ("=a", "", "a"), ("a=1;", "a", "1"), ("a=\"x y\"", "a", "\"x y\""), ("a=1,b=2", "a", "1,b=2"),
        ("a b=1", "a b", "1"), ("\u{e9}=\u{fc}", "\u{e9}", "\u{fc}"), ("a=1;;; Secure ;", "a", "1"),
        ("a=\u{200d};x", "a", "\u{200d}"),
    ])
    func nameAndValue(field: String, name: String, value: String) throws {
        let cookie = try cookie(field)
        #expect(cookie.name == name)
        #expect(cookie.value.revealed == value)
        #expect(cookie.pair == Array((name.isEmpty ? value : "\(name)=\(value)").utf8))
        #expect(cookie.domain == "www.example.com" && cookie.isHostOnly && cookie.path == "/a")
    }

    @Test(
        "Empty, too long, and ambiguous cookies",
        arguments: [
            ("", CookieRefusal.empty), ("=", .empty), (" ; Path=/", .empty), ("==a", .delimiter), ("=a=b", .delimiter),
        ]
    )
    func noCookies(field: String, refusal: CookieRefusal) {
        #expect(throws: refusal) { try cookie(field) }
    }

    @Test func nameAndValueHave4096BytesAtMost() throws {
        let longest = String(repeating: "x", count: 4_095)
        #expect(try cookie("a=\(longest)").pair.count == 4_097)
        #expect(throws: CookieRefusal.tooLong) { try cookie("ab=\(longest)") }
        #expect(throws: CookieRefusal.tooLong) { try cookie("\(longest)xy") }
        // Attributes don't count.
        #expect(try cookie("a=1; x=\(longest)\(longest)").name == "a")
    }

    @Test("a control character anywhere refuses the cookie", arguments: Array(0..<0x20) + [0x7F])
    func controlCharacters(byte: UInt8) throws {
        for field in [[byte] + Array("a=1".utf8), Array("a".utf8) + [byte] + Array("b=1".utf8)] {
            // A tab around a part is white space; within a name it is not allowed.
            if byte == 9, field.first == 9 { continue }
            #expect(throws: CookieRefusal.controlCharacter) { try cookie(bytes: field) }
        }
        #expect(throws: CookieRefusal.controlCharacter) { try cookie(bytes: Array("a=1".utf8) + [byte, 0x78]) }
        if byte != 9 {
            #expect(throws: CookieRefusal.controlCharacter) { try cookie(bytes: Array("a=1; Path=/".utf8) + [byte]) }
        }
        #expect(throws: CookieRefusal.controlCharacter) {
            try cookie(bytes: Array("a=1; Path=/x".utf8) + [byte, 0x79])
        }
    }

    @Test func bytesThatAreNoTextGoBackAsTheyCame() throws {
        let cookie = try cookie(bytes: Array("a=".utf8) + [0xFF, 0xC0, 0x80])
        #expect(cookie.pair == Array("a=".utf8) + [0xFF, 0xC0, 0x80])
    }

    private static let day: Int64 = 86_400

    @Test(
        "When it expires",
        arguments: [
            ("", nil), ("Max-Age=60", now + 60), ("max-age=0", Int64.min), ("Max-Age=-1", .min), ("Max-Age=-", nil),
            ("Max-Age=", nil), ("Max-Age=+5", nil), ("Max-Age=5x", nil), ("Max-Age=1.5", nil), ("Max-Age", nil),
            ("Max-Age=99999999999999999999999999", now + 400 * day), ("Max-Age=-99999999999999999999999", .min),
            ("Expires=Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Expires=soon", nil), ("Expires=", nil),
            ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", now + 400 * day),
            // Max-Age wins, whatever the order; of repeated attributes the last valid one counts.
            ("Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT", now + 60),
            ("Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60", now + 60), ("Max-Age=1; Max-Age=2", now + 2),
            ("Max-Age=1; Max-Age=x", now + 1),
        ] as [(String, Int64?)]
    )
    func expiry(attributes: String, expiry: Int64?) throws {
        #expect(try cookie("a=1; \(attributes)").expiry == expiry)
    }

    @Test(
        "Its domain",
        arguments: [
            ("", "https://www.example.com/", "www.example.com", true),
            ("Domain=", "https://www.example.com/", "www.example.com", true),
            ("Domain", "https://www.example.com/", "www.example.com", true),
            ("Domain=example.com", "https://www.example.com/", "example.com", false),
            ("Domain=.EXAMPLE.com", "https://www.example.com/", "example.com", false),
            ("Domain=www.example.com", "https://www.example.com/", "www.example.com", false),
            ("Domain=other.org; Domain=example.com", "https://www.example.com/", "example.com", false),
            ("Domain=example.com; Domain=", "https://www.example.com/", "www.example.com", true),
            // A trailing dot makes no difference.
            ("Domain=example.com", "https://www.example.com./", "example.com", false),
            ("", "https://www.example.com./", "www.example.com", true),
            // An address matches only itself, and a suffix that is a site may have its own cookies.
            ("Domain=127.0.0.1", "http://127.0.0.1:8080/", "127.0.0.1", true),
            ("Domain=::1", "http://[::1]/", "::1", true),
            ("Domain=github.io", "https://github.io/", "github.io", true),
            ("Domain=localhost", "http://localhost/", "localhost", true),
        ]
    )
    func domains(attribute: String, url: String, domain: String, isHostOnly: Bool) throws {
        let cookie = try cookie("a=1; \(attribute)", from: url)
        #expect(cookie.domain == domain)
        #expect(cookie.isHostOnly == isHostOnly)
    }

    @Test(
        "domains of other hosts, and public suffixes",
        arguments: [
            ("co.UK", "https://www.bbc.co.uk/", CookieRefusal.publicSuffix),
            ("uk", "https://www.bbc.co.uk/", .publicSuffix),
            (".co.uk", "https://www.bbc.co.uk/", .publicSuffix), ("co.uk.", "https://www.bbc.co.uk/", .malformedDomain),
            ("example.com.", "https://www.example.com/", .malformedDomain),
            ("example.com.", "https://www.example.com./", .malformedDomain),
            ("..com", "https://example.com/", .malformedDomain),
            ("com", "https://example.com/", .publicSuffix), ("github.io", "https://ada.github.io/", .publicSuffix),
            ("amazonaws.com", "https://ec2-1.compute-1.amazonaws.com/", .publicSuffix),
            ("intranet", "https://host.intranet/", .publicSuffix), ("localhost", "http://a.localhost/", .publicSuffix),
            ("other.com", "https://example.com/", .foreignDomain),
            ("www.example.com", "https://example.com/", .foreignDomain),
            ("ample.com", "https://example.com/", .foreignDomain), ("0.0.1", "http://127.0.0.1/", .foreignDomain),
            ("1", "http://127.0.0.1/", .foreignDomain), ("127.0.0.2", "http://127.0.0.1/", .foreignDomain),
            ("ex\u{e4}mple.com", "https://example.com/", .malformedDomain),
            ("exa mple.com", "https://example.com/", .malformedDomain),
            ("b\u{fc}cher.example", "https://xn--bcher-kva.example/", .malformedDomain),
        ]
    )
    func domainsThatAreRefused(domain: String, url: String, refusal: CookieRefusal) {
        #expect(throws: refusal) { try cookie("a=1; Domain=\(domain)", from: url) }
    }

    @Test(
        "Its path",
        arguments: [
            ("https://x.example/", "", "/"), ("https://x.example/a", "", "/"), ("https://x.example/a/", "", "/a"),
            ("https://x.example/a/b", "", "/a"), ("https://x.example/a/b?c/d", "", "/a"),
            ("https://x.example", "", "/"),
            ("https://x.example/a/b", "Path=/z", "/z"), ("https://x.example/a/b", "Path=z", "/a"),
            ("https://x.example/a/b", "Path=", "/a"), ("https://x.example/a/b", "Path=/z; Path=y", "/a"),
            ("https://x.example/a/b", "Path=/z/", "/z/"),
            ("https://x.example/a/b", "Path=/" + String(repeating: "p", count: 1_024), "/a"),
        ]
    )
    func paths(url: String, attribute: String, path: String) throws {
        #expect(try cookie("a=1; \(attribute)", from: url).path == path)
    }

    @Test(
        "Secure cookies need TLS, or this machine",
        arguments: [
            ("https://x.example/", true), ("http://x.example/", false), ("http://localhost/", true),
            ("http://127.0.0.1/", true),
            ("http://[::1]/", true), ("http://127.0.0.1.example/", false), ("http://a.localhost/", true),
        ]
    )
    func secureCookies(url: String, isTaken: Bool) {
        let taken = try? cookie("a=1; Secure; Path=/", from: url)
        #expect((taken != nil) == isTaken)
        if !isTaken { #expect(throws: CookieRefusal.insecure) { try cookie("a=1; secure", from: url) } }
    }

    @Test(
        "the prefixes apply in any case",
        arguments: [
            ("__Secure-a=1; Secure", true), ("__Secure-a=1", false), ("__SECURE-a=1", false),
            ("__secure-a=1; Secure", true),
            ("__Host-a=1; Secure; Path=/", true), ("__Host-a=1; Secure", false), ("__hOST-a=1; Path=/", false),
            ("__Host-a=1; Secure; Path=/x", false), ("__Host-a=1; Secure; Path=/; Domain=www.example.com", false),
            ("__host-a=1; Secure; Path=/; Domain=example.com", false), ("__Host-a=1; Secure; Path=/; Domain=", true),
            ("=__Host-a", false), ("__Secure-x", false), ("=__SECURE-a; Secure", false), ("__Hos-a=1", true),
            ("_Secure-a=1", true),
        ]
    )
    func prefixes(field: String, isTaken: Bool) {
        if isTaken {
            #expect(throws: Never.self) { try cookie(field) }
        } else {
            #expect(throws: CookieRefusal.brokenPrefix) { try cookie(field) }
        }
    }

    @Test(
        arguments: [
            ("SameSite=Strict", Cookie.SameSite.strict), ("samesite=LAX", .lax),
            ("SameSite=None", Cookie.SameSite.unrestricted), ("SameSite=x", nil),
            ("SameSite", nil), ("", nil), ("SameSite=Strict; SameSite=Lax", .lax),
        ] as [(String, Cookie.SameSite?)]
    )
    func sameSite(attribute: String, value: Cookie.SameSite?) throws {
        #expect(try cookie("a=1; \(attribute)").sameSite == value)
    }

    @Test("a path that a redirect made too long sets no cookie: no file would have it")
    func longStandardPath() throws {
        let jar = CookieJar()
        let short = String(repeating: "a", count: 1_000)
        try jar.set("a=1", from: "https://x.example/\(short)/x")
        #expect(throws: CookieRefusal.tooLong) {
            try jar.set("a=1", from: "https://x.example/\(short)\(short)/x")
        }
        #expect(jar.cookies.count == 1)
    }

    @Test func nothingPrintsAValue() throws {
        let cookie = try cookie("sid=hunter2; Secure; HttpOnly; Max-Age=60")
        var dumped = ""
        dump(cookie, to: &dumped)
        let texts = ["\(cookie)", String(reflecting: cookie), dumped, "\([cookie])"]
        #expect(texts.allSatisfy { !$0.contains("hunter2") && $0.contains("sid") })
        #expect(
            "\(cookie)"
                == "sid=<redacted>, domain www.example.com, path /a, until Fri, 15 Jan 2027 08:01:00 GMT, secure"
        )
        #expect(!"\(CookieRefusal.tooLong)".contains("hunter2"))
    }

    @Test(
        "A cookie made in code follows the same rules",
        arguments: [
            ("a;b", "1", "x.example", "/", CookieRefusal.delimiter), ("a=b", "1", "x.example", "/", .delimiter),
            ("a", "1;2", "x.example", "/", .delimiter), ("a", " 1", "x.example", "/", .delimiter),
            ("a\n", "1", "x.example", "/", .controlCharacter),
            ("a", "1\t2", "x.example", "/", .controlCharacter), ("", "", "x.example", "/", .empty),
            ("a", "1", "", "/", .malformedDomain),
            ("a", "1", "x..example", "/", .malformedDomain), ("a", "1", "x/y", "/", .malformedDomain),
            ("a", "1", "com", "/", .publicSuffix),
            ("a", "1", "127.0.0.1", "/", .foreignDomain), ("a", "1", "x.example", "y", .malformedPath),
            ("a", "1", "x.example", "/\u{7}", .controlCharacter),
            ("__Host-a", "1", "x.example", "/", .brokenPrefix), ("", "a=b", "x.example", "/", .delimiter),
        ]
    )
    func byHand(name: String, value: String, domain: String, path: String, refusal: CookieRefusal) {
        #expect(throws: refusal) {
            try Cookie(name, Secret(value), domain: domain, coversSubdomains: true, path: path)
        }
    }
}
