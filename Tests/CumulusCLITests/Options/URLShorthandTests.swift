// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite(.serialized) struct URLShorthandTests {
    @Test(arguments: [
        ("example.com", "https://example.com"),
        ("example.com/a/b", "https://example.com/a/b"),
        ("example.com:8443/x", "https://example.com:8443/x"),
        ("http://example.com", "http://example.com"),
        ("HTTPS://example.com/", "https://example.com/"),
        ("://example.com/x", "https://example.com/x"),
        ("://localhost/x", "http://localhost/x"),
        (":3000/x", "http://localhost:3000/x"),
        (":3000", "http://localhost:3000"),
        (":/x", "http://localhost/x"),
        (":", "http://localhost"),
        ("localhost", "http://localhost"),
        ("localhost:8080/a", "http://localhost:8080/a"),
        ("api.localhost", "http://api.localhost"),
        ("127.0.0.1:1/", "http://127.0.0.1:1/"),
        ("127.1.2.3", "http://127.1.2.3"),
        ("[::1]:8080/x", "http://[::1]:8080/x"),
        ("[2001:db8::1]/x", "https://[2001:db8::1]/x"),
        ("https://localhost", "https://localhost"),
        ("localhost.example.com", "https://localhost.example.com"),
        ("127.example.com", "https://127.example.com"),
    ])
    func completesTheScheme(argument: String, expected: String) throws {
        #expect(try URLShorthand(parsing: argument).url == expected)
    }

    @Test func takesQueryFragmentAndUserApart() throws {
        let url = try URLShorthand(parsing: "ada:pa%3Ass@example.com/x?a=1&b=2#top")
        #expect(url.url == "https://example.com/x")
        #expect(url.query == "a=1&b=2")
        #expect(url.userInfo == "ada:pa%3Ass")
    }

    private static let mistakes: [(argument: String, reason: String, hint: String?)] = [
        ("", "empty", nil),
        ("htp://example.com", "scheme", "did you mean http://?"),
        ("htttps://example.com", "scheme", "did you mean https://?"),
        ("ftp://example.com", "scheme", "http"),
        ("http:/example.com", "lacks a slash", "http://HOST/PATH"),
        ("http:example.com", "lacks a slash", "http://HOST/PATH"),
        ("http//example.com", "lacks a colon", "http://HOST/PATH"),
        ("//example.com", "no scheme", "https://example.com"),
        ("/posts", "names no host", ":/posts is this machine"),
        (":x", "no port and path", ":3000/path"),
        ("exa mple.com", "", nil),
        ("example.com:99999", "port", nil),
        ("\u{201C}example.com\u{201D}", "typographic quote", "type ' or \""),
        ("\\\\evil", "", nil),
        ("https://", "no host", nil),
    ]

    @Test(arguments: mistakes)
    func refusesWhatIsNoURL(argument: String, reason: String, hint: String?) {
        let error = #expect(throws: UsageMistake.self) { try URLShorthand(parsing: argument) }
        #expect(reason.isEmpty || error?.reason.contains(reason) == true, "\(String(describing: error))")
        if let hint { #expect(error?.hint?.contains(hint) == true, "\(String(describing: error))") }
    }

    @Test(arguments: ["htp://ada:hunter2@h", "http:ada:hunter2@h", "ada:hunter2@exa mple"])
    func `T-62 a mistake in a URL never shows its password`(argument: String) {
        let error = #expect(throws: UsageMistake.self) { try URLShorthand(parsing: argument) }
        #expect("\(String(describing: error))".contains("hunter2") == false)
    }
}
