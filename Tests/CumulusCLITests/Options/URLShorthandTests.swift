// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct URLShorthandTests {
    @Test(
        "A port alone is this machine wherever a command takes a URL",
        arguments: [
            [":3000/x"], ["post", ":3000/x", "a=1"], [":3000/x", ":4000/x"], ["--base", ":3000/v1", "x"],
            ["--proxy", ":8080", "a.b"], ["download", ":3000/x"], ["download", "http://a.b/", ":3000/y"],
            ["upload", "f", ":3000/x"], ["upload", "f", "s3://b/k", "--endpoint", ":9000", "-a", "K:s"],
            ["events", ":3000/x"], ["edit", ":3000/x"], ["logout", ":3000"], ["cache", "list", ":3000"],
            ["login", ":3000", "--issuer", ":9000", "--client", "c", "--share", ":9001"],
            ["login", ":3000", "--tokens", ":9000/token", "--client", "c", "--grant", "device", "--device", ":9000/d"],
            ["cache", "show", ":3000/x"], ["config", "show", ":3000"],
            ["services", "import", ":3000/openapi.json"],
        ]
    )
    func portAlone(words: [String]) throws {
        _ = try Invocation.parse(words, in: .of(environment: ["HOME": "/nowhere"]))
    }

    @Test(arguments: [
        ("example.com", "https://example.com/"),
        ("example.com/a/b", "https://example.com/a/b"),
        ("example.com:8443/x", "https://example.com:8443/x"),
        ("http://example.com", "http://example.com/"),
        ("HTTPS://example.com/", "https://example.com/"),
        ("://example.com/x", "https://example.com/x"),
        ("://localhost/x", "http://localhost/x"),
        (":3000/x", "http://localhost:3000/x"),
        (":3000", "http://localhost:3000/"),
        (":/x", "http://localhost/x"),
        (":", "http://localhost/"),
        ("localhost", "http://localhost/"),
        ("localhost:8080/a", "http://localhost:8080/a"),
        ("api.localhost", "http://api.localhost/"),
        ("127.0.0.1:1/", "http://127.0.0.1:1/"),
        ("127.1.2.3", "http://127.1.2.3/"),
        ("[::1]:8080/x", "http://[::1]:8080/x"),
        ("[2001:db8::1]/x", "https://[2001:db8::1]/x"),
        ("https://localhost", "https://localhost/"),
        ("localhost.example.com", "https://localhost.example.com/"),
        ("127.example.com", "https://127.example.com/"),
    ])
    func completesTheScheme(argument: String, expected: String) throws {
        #expect(try URLShorthand(parsing: argument).url.description == expected)
    }

    @Test func takesQueryFragmentAndUserApart() throws {
        let url = try URLShorthand(parsing: "ada:pa%3Ass@example.com/x?a=1&b=2#top")
        #expect(url.url.description == "https://example.com/x")
        #expect(url.query == "a=1&b=2")
        #expect(url.user == Credentials(user: "ada", password: "pa:ss"))
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
        ("/posts", "has no host", "write :/posts"),
        (":x", "not a port followed by a path", ":3000/path"),
        ("exa mple.com", "", nil),
        ("example.com:99999", "port", nil),
        ("\u{201C}example.com\u{201D}", "typographic quote", "type ' or \""),
        ("\\\\evil", "", nil),
        ("https://", "no host", nil),
        ("https://:3000/x", "no host", ":3000 is a port on this machine"),
        ("s3://bucket/key", "scheme", "-A aws4 -a KEY:SECRET signs"),
        ("http+unix://%2Frun%2Fa.sock/x", "scheme", "--unix-socket FILE http://localhost/PATH"),
    ]

    @Test(arguments: mistakes)
    func refusesWhatIsNoURL(argument: String, reason: String, hint: String?) {
        let error = #expect(throws: UsageMistake.self) { try URLShorthand(parsing: argument) }
        #expect(reason.isEmpty || error?.reason.contains(reason) == true, "\(String(describing: error))")
        if let hint { #expect(error?.hint?.contains(hint) == true, "\(String(describing: error))") }
    }

    @Test(
        arguments: mistakes.map(\.argument) + ["3000/list", "GET:3000/x", "\"http://x.y/\"", "{\"a\":1}", "-", "x y"]
    )
    func mistakeOfAURLShowsNoSecret(argument: String) {
        for text in ["\(argument)?access_token=s3cretvalue", "https://ada:s3cretvalue@\(argument)"] {
            do throws(UsageMistake) {
                _ = try URLShorthand(parsing: text)
            } catch {
                #expect(!"\(error.reason) \(error.hint ?? "")".contains("s3cretvalue"), "\(text)")
            }
        }
    }

    /// Scalars that other parsers join with the previous one, drop, or take for another.
    private static let tricks: [Unicode.Scalar] = [
        "\u{300}", "\u{301}", "\u{338}", "\u{20E3}", "\u{200D}", "\u{200C}", "\u{200B}", "\u{FE0F}", "\u{FE00}",
        "\u{E0100}", "\u{34F}", "\u{AD}", "\u{2060}", "\u{FEFF}", "\u{202E}", "\\", "\t", "\n", "\r", "\0", " ",
        "\u{FF0F}", "\u{FF1A}", "\u{FF20}", "\u{FF1F}", "\u{FF03}", "\u{FF0E}", "\u{3002}", "\u{2044}", "\u{2100}",
        "\u{1F3FB}", "\u{1100}", "@", ":", "/", "?", "#", "%", "[", "]", ".",
    ]
    private static let addresses = [
        "http://127.0.0.1:1/a@other.example/x", "http://ada:pw@127.0.0.1:1/?q@other.example#f@x.y",
        "https://a.example?b@other.example", "127.0.0.1:1/a@other.example", "ada@a.example/@other.example",
        ":1/@other.example",
        "localhost#@other.example", "://a.example/@other.example",
    ]

    /// The host by RFC 3986, byte by byte: the text after the last `@` of the text before `/`, `?` and `#`.
    private func plainHost(_ argument: String) -> String? {
        var bytes = Array(argument.utf8)[...]
        if bytes.starts(with: "://".utf8) {
            bytes = bytes.dropFirst(3)
        } else if bytes.first == UInt8(ascii: ":"), !bytes.starts(with: "::".utf8) {
            return "localhost"
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            bytes[..<colon].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
        {
            bytes = bytes[(colon + 3)...]
        }
        var authority = bytes.prefix { !"/?#".utf8.contains($0) }
        if authority.contains(UInt8(ascii: "\\")) { return nil }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")) { authority = authority[..<colon] }
        return String(decoding: authority, as: UTF8.self).lowercased()
    }

    @Test("the command and the library see the same host in every argument", arguments: addresses)
    func oneHost(address: String) throws {
        var read = 0
        for trick in Self.tricks {
            for place in 0...address.unicodeScalars.count {
                var scalars = Array(address.unicodeScalars)
                scalars.insert(trick, at: place)
                let argument = String(String.UnicodeScalarView(scalars))
                guard let url = try? URLShorthand(parsing: argument) else { continue }
                read += 1
                // Non-ASCII hosts are shown in the form of DNS.
                let plain = try plainHost(argument).map { try RequestURL("http://\($0)/").origin.host }
                #expect(url.url.origin.host == plain, "\(argument.debugDescription)")
                #expect(try RequestURL(url.url.description) == url.url, "\(argument.debugDescription)")
            }
        }
        #expect(read > 100)
    }

    @Test func `a joiner behind a slash hides no host, and a backslash before an at sign is refused`() throws {
        let url = try URLShorthand(parsing: "http://127.0.0.1:1/\u{301}@other.example/x")
        #expect(url.url.description == "http://127.0.0.1:1/%CC%81@other.example/x")
        #expect(url.user == nil)
        #expect(throws: UsageMistake.self) { try URLShorthand(parsing: "http://a\\@b/") }
        #expect(throws: UsageMistake.self) { try URLShorthand(parsing: "a\\@b/") }
    }

    @Test func aQuestionMarkWithNothingBehindItStays() throws {
        let url = try URLShorthand(parsing: "a.example/hello?")
        #expect(url.url.description == "https://a.example/hello?")
        #expect(url.query == nil)
    }

    @Test(arguments: [
        "htp://ada:hunter2@h", "http:ada:hunter2@h", "ada:hunter2@exa mple", ":80:hunter2@h", "/hunter2@h",
    ])
    func `a mistake in a URL never shows its password`(argument: String) {
        let error = #expect(throws: UsageMistake.self) { try URLShorthand(parsing: argument) }
        #expect("\(String(describing: error))".contains("hunter2") == false)
    }
}
