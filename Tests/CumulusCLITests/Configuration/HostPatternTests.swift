// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

/// The hosts of a configuration's blocks.
@Suite struct HostPatternTests {
    @Test(
        "a pattern matches the form that a request has",
        arguments: [
            ("b\u{FC}cher.example", "http://xn--bcher-kva.example/"),
            ("*.B\u{DC}CHER.example", "http://a.b\u{FC}cher.example/"),
            ("[::1]:80", "http://[::1]/"), ("[0:0::1]", "http://[0:0::1]/"), ("[fe80::*]", "http://[fe80::2]/"),
            ("*.Example.com", "http://a.b.example.com/"), ("localhost:3000", "http://localhost:3000/"),
            ("*", "http://x/"), ("[::1]", "http://[0:0:0:0:0:0:0:1]/"), ("[0:0:0:0:0:0:0:1]", "http://[::1]/"),
            ("[2001:DB8::1]:81", "http://[2001:db8:0:0::0.0.0.1]:81/"),
        ]
    )
    func matches(pattern: String, url: String) throws {
        #expect(try HostPattern(pattern)?.fits(RequestURL(url).origin) == true)
    }

    @Test(
        "a pattern that can't match is refused",
        arguments: [
            "[", "[]", "[::1", "]:1", "::1", "[x]", "a]", "", ":80", "a/b", "a b", "u@h", "b\u{FC}*.example", "a:0",
            "[::1]x", "%41",
        ]
    )
    func refused(pattern: String) { #expect(HostPattern(pattern) == nil) }

    @Test("another address, or a name, doesn't match", arguments: ["http://[::2]/", "http://[::1]:81/", "http://a/"])
    func others(url: String) throws {
        #expect(try HostPattern("[0::1]:80")?.fits(RequestURL(url).origin) == false)
    }
}
