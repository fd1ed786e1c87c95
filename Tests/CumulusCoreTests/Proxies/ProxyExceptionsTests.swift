// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

struct ProxyExceptionsTests {
    private func matches(_ list: String, _ url: String) throws -> Bool {
        try ProxyExceptions(list).contains(RequestURL(url).origin)
    }

    @Test(
        "an entry is a host and all hosts below it, an address, a network, or all",
        arguments: [
            ("example.com", "http://example.com", true), ("example.com", "http://a.b.example.com", true),
            (".example.com", "http://example.com", true), (".example.com", "http://a.example.com", true),
            ("*.example.com", "http://a.example.com", true), ("EXAMPLE.com.", "http://example.COM", true),
            ("example.com", "http://example.com.", true), ("localhost", "http://localhost.", true),
            ("localhost.", "http://localhost", true), ("localhost", "http://api.localhost", true),
            ("example.com", "http://notexample.com", false), ("example.com", "http://example.com.evil.org", false),
            ("example.com", "http://example.co", false), ("a.example.com", "http://example.com", false),
            ("example.com:8080", "http://example.com:8080", true), ("example.com:8080", "http://example.com", false),
            ("example.com:80", "http://example.com", true), ("example.com:443", "https://a.example.com", true),
            ("[::1]", "http://[::1]", true), ("::1", "http://[0:0:0:0:0:0:0:1]:9", true),
            ("[::1]:8080", "http://[::1]:8080", true), ("[::1]:8080", "http://[::1]", false),
            ("::1", "http://localhost", false), ("127.0.0.1", "http://[::ffff:127.0.0.1]", true),
            ("::ffff:127.0.0.1", "http://127.0.0.1", true), ("::ffff:7f00:1", "http://127.0.0.1", true),
            ("127.0.0.1", "http://127.0.0.1.example.com", false), ("0.0.1", "http://127.0.0.1", false),
            ("10.0.0.0/8", "http://10.9.8.7", true), ("10.0.0.0/8", "http://11.0.0.1", false),
            ("10.1.2.3/8", "http://10.0.0.1", true), ("10.0.0.0/8", "http://[::ffff:10.0.0.1]", true),
            ("::ffff:10.0.0.0/104", "http://10.9.8.7", true), ("fd00::/8", "http://[fd12::1]", true),
            ("[fd00::]/8", "http://[fd12::1]", true), ("fd00::/8", "http://[fe00::1]", false),
            ("0.0.0.0/0", "http://1.2.3.4", true), ("0.0.0.0/0", "http://[::1]", false),
            ("0.0.0.0/0", "http://example.com", false), ("10.0.0.0/8", "http://a10.example", false),
            ("*", "http://[::1]", true), ("*", "https://example.com", true),
            ("a.example, b.example", "http://b.example", true), ("a.example b.example", "http://b.example", true),
            (" ,a.example,,\tb.example ,", "http://a.example", true), ("", "http://a.example", false),
            (" , ", "http://a.example", false), ("example", "http://www.example", true),
            ("com", "http://example.com", true),
            ("b\u{FC}cher.example", "http://www.b\u{FC}cher.example", true),
            ("*.B\u{DC}CHER.example:80", "http://xn--bcher-kva.example", true),
            ("XN--bcher-kva.example", "http://b\u{FC}cher.example", true),
            ("\u{FC}.example", "http://u.example", false),
        ]
    )
    func isMatched(_ list: String, _ url: String, _ isException: Bool) throws {
        guard list != "0.0.1" else {
            // A number that is not an address is refused, rather than treated as part of one.
            #expect(throws: ProxyMalformation.self) { try ProxyExceptions(list) }
            return
        }
        #expect(try matches(list, url) == isException)
    }

    @Test(
        "invalid entries are refused",
        arguments: [
            "192.168.*", "a.*.example", "**", "*a", ".", "..a", "a..b", "a b/c", "10.0.0.0/33", "10.0.0.0/",
            "10.0.0.0/x",
            "/8", "fd00::/129", "::ffff:10.0.0.0/95", "[::1", "[::1]x", "[::1]:", "[::1]:65536", "a:", "a:x", "a:1:2",
            "fe80::1%eth0", "[fe80::1%25eth0]", "a@b", "http://a", "a/b", "1", "0x7f000001", "\u{301}a.example",
            "xn--zzzz.example", "a\u{0}b",
            "10.0.0.0/8:80",
        ]
    )
    func isRefused(_ entry: String) {
        #expect(throws: ProxyMalformation.self) { try ProxyExceptions("a.example,\(entry)") }
    }

    @Test func aListIsShownAsItWasWritten() throws {
        #expect("\(try ProxyExceptions("a.example, .b"))" == "a.example, .b")
        #expect(try ProxyExceptions("").isEmpty && ProxyExceptions.none.isEmpty && !ProxyExceptions("a").isEmpty)
    }
}
