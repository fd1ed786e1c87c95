// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport
import Testing

/// URLs are parsed once and strictly.
@Suite struct RequestURLTests {
    @Test(arguments: [
        ("http://a.example", "http://a.example/"),
        ("HTTP://A.Example:80/x", "http://a.example/x"),
        ("https://a.example:443?q", "https://a.example/?q"),
        ("https://a.example:8443/a%20b?c=%26", "https://a.example:8443/a%20b?c=%26"),
        ("http://a.example/a b?c d", "http://a.example/a%20b?c%20d"),
        ("http://a.example/a/../b/./c", "http://a.example/b/c"),
        ("http://a.example/%2e%2e/b", "http://a.example/b"),
        ("http://a.example/x#frag", "http://a.example/x"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("http://a.example/%zz", "http://a.example/%25zz"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        ("http://a.example/ü", "http://a.example/%C3%BC"),
        ("http://a.example?foo==bar", "http://a.example/?foo==bar"),
    ])
    func parses(text: String, normal: String) throws { #expect(try RequestURL(text).description == normal) }

    @Test(arguments: [
        "", " http://a.example", "a.example/x", "//a.example", "http:/a.example", "http://", "http:///x",
        "ftp://a.example", "file:///etc/passwd", "http://a.example:99999/", "http://a.example:0/",
        "http://a.example:x/",
        "http://a b.example/", "http://a%2Fb/", "http://a%00.example/", "http://a.example\\@evil.example/",
        "http://good.example\\.evil.example/", "http://a.example/\\evil", "http://a\n.example/",
        "http://a.example/\r\nX: y", "http://[::1", "http://[::1]x/", "http://[fe80::1%25eth0]/", "http://[1:2:3]/",
        "http://[::12345]/", "http://::1/",
        "http://256.1.1.1/", "http://1.2.3/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0177.0.0.1/",
        "http://a..example/", "http://./", "http://b\u{E000}cher.example/", "http://user:pw@a.example/",
    ])
    func refuses(text: String) { #expect(throws: RequestURL.Malformation.self) { try RequestURL(text) } }

    @Test("the host that is checked is the host connected to")
    func oneHost() throws {
        let url = try RequestURL("http://good.example#@evil.example/")
        #expect(url.origin.host == "good.example")
        #expect(url.target == "/")
    }

    @Test func aMissingSchemeHasItsHint() {
        #expect(throws: RequestURL.Malformation.self) { try RequestURL("example.com") }
        do {
            _ = try RequestURL("example.com")
        } catch {
            #expect(error.isScheme && error.description.contains("https://"))
        }
    }

    @Test("a redirect's user and password are dropped")
    func droppedUserInfo() throws {
        let url = try RequestURL("http://a.example/").resolving("https://user:pw@third.example/x")
        #expect(url.description == "https://third.example/x")
    }

    @Test func userAndPasswordOfABaseBecomeCredentials() async throws {
        let echo = Echo("https://ada:p%40ss@api.example.com/x")
        #expect(echo.site.urlString == "https://api.example.com/x")
        #expect(echo.site.credentials == Credentials(user: "ada", password: "p@ss"))
        #expect(!"\(echo.site)".contains("ss"))
    }

    @Test func queryValuesAreRedacted() throws {
        let url = try RequestURL("http://a.example/?token=abc&x")
        #expect(url.redacted == "http://a.example/?token=<redacted>&<redacted>")
        let session = try RequestURL("http://a.example/p;jsessionid=hunter2;v=1/x")
        #expect(session.redacted == "http://a.example/p;jsessionid=<redacted>;v=1/x")
    }

    @Test(arguments: ["mailto:x", "http://a.example", "x:", "nonsense"])
    func aBadBaseMakesAResourceThatThrows(text: String) async throws {
        let site = Resource(text, transport: StubTransport { _ in .text("ok") }.watched)
        if text != "http://a.example" {
            await #expect(throws: CumulusError.self) { _ = try await site["child"].get() }
            #expect(site.urlString == nil)
        } else {
            #expect(site.urlString == "http://a.example/")
        }
    }

    @Test func originsDifferByHostPortAndScheme() throws {
        let base = try RequestURL("https://a.example/").origin
        #expect(try RequestURL("https://A.example:443/x").origin == base)
        for other in ["http://a.example:443/", "https://a.example:444/", "https://b.a.example/"] {
            #expect(try RequestURL(other).origin != base)
        }
    }

    @Test(
        "a combining mark can't hide a delimiter",
        arguments: [
            "https://good.example/\u{301}@evil.example/", "https://good.example?\u{301}@evil.example/",
            "https://good.example#\u{301}@evil.example/", "https://good.example/\u{200D}@evil.example/",
        ]
    )
    func combiningMarks(text: String) throws {
        #expect(try RequestURL(text).origin.host == "good.example")
        #expect(try RequestURL("http://a.example").resolving(text).origin.host == "good.example")
    }

    @Test(
        "errors about URLs quote neither password nor query",
        arguments: [
            "https://user:s3cret@host/?token=s3cret\n", "https://user:pa/s3cret@host", "x://u:s3cret@h", "u:s3cret@h",
            "https:u:s3cret@h",
        ]
    )
    func quietErrors(text: String) {
        do {
            _ = try RequestURL(text)
            Issue.record("it was parsed")
        } catch {
            #expect(!error.description.contains("s3cret"))
        }
    }

    @Test func anEmptyReferenceIsTheSameDocument() throws {
        #expect(try RequestURL("http://a.example/x?y").resolving("").description == "http://a.example/x?y")
    }
}
