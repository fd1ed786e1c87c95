// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

struct ProxyParsingTests {
    @Test(arguments: [
        ("http://p.example:3128", "http://p.example:3128"), ("http://p.example", "http://p.example:80"),
        ("https://p.example", "https://p.example:443"), ("https://p.example:80/", "https://p.example:80"),
        ("p.example:3128", "http://p.example:3128"), ("HTTP://P.Example:1", "http://p.example:1"),
        ("socks5://p.example", "socks5://p.example:1080"), ("socks5h://p.example:80", "socks5://p.example:80"),
        ("socks4a://127.0.0.1:443", "socks4a://127.0.0.1:443"), ("socks5://[::1]:9", "socks5://[::1]:9"),
        ("socks5://p.example:443", "socks5://p.example:443"),
    ])
    func readsURLs(_ url: String, _ shown: String) throws {
        let proxy = try Proxy(url)
        #expect("\(proxy)" == shown)
        #expect(proxy.credentials == nil && proxy.authorization == nil)
        #expect(try proxy == Proxy(proxy.scheme, host: proxy.host, port: proxy.port))
    }

    @Test func userAndPasswordAreDecodedAndNeverPrinted() throws {
        let proxy = try Proxy("http://ada:l%40ve%3Alace@p.example:3128")
        #expect(proxy.credentials == Credentials(user: "ada", password: "l@ve:lace"))
        #expect(proxy.authorization == "Basic YWRhOmxAdmU6bGFjZQ==")
        var shown =
            "\(proxy) \(proxy.debugDescription) \(ProxyPolicy.by(proxy)) \(ProxyRefusal(by: proxy, .credentials))"
        dump(proxy, to: &shown)
        dump(ProxyPolicy.by(proxy), to: &shown)
        var request = TransportRequest(origin: Origin(scheme: .http, host: "a.example"))
        request.proxy = proxy
        dump(request, to: &shown)
        var facts = ExchangeFacts()
        facts.proxy = proxy
        dump(facts, to: &shown)
        for secret in ["l@ve", "l%40ve", "YWRh", "ada"] { #expect(!shown.contains(secret), "\(shown)") }
        #expect(try Proxy("socks5://ada:x@p.example").authorization == nil)
    }

    @Test("other credentials make another proxy") func credentialsTellProxiesApart() throws {
        let proxies = try [
            "http://p:1", "http://ada:x@p:1", "http://ada:X@p:1", "http://bob:x@p:1", "http://ada:@p:1",
            "https://p:1", "socks5://p:1", "socks4a://p:1", "http://p:2", "http://q:1",
        ].map { try Proxy($0) }
        #expect(Set(proxies).count == proxies.count)
        #expect(try Proxy("http://ada:x@p:1") == Proxy("http://ada:x@P:1/"))
    }

    @Test(arguments: [
        "", "http://", "http://p:0", "http://p:65536", "http://p:x", "ftp://p", "socks://p", "socks4://p", "://p",
        "http://p/path", "http://p?q", "http://p q", "http://p\r\nX: y", "http://ada:secret@", "http://a\\b",
        "http://ada:secret@p:99999", "wss://ada:secret@p", "http://ada%3Ab:secret@p", "socks4a://ada:secret@p",
        "socks5://:secret@p", "http://0x7f.1", "http://ada:secret@p/secret", "se://cret:secret@p", "[::1",
        "http://[::1%25e]", "http://ada:secret:p:1", "ada:secret:p",
        "socks5://\(String(repeating: "u", count: 256)):secret@p", "socks4a://a%00b@p",
    ])
    func refusesWhatIsNoProxyWithoutQuotingSecrets(_ url: String) {
        do {
            _ = try Proxy(url)
            Issue.record("\(url) was taken")
        } catch {
            #expect(!error.description.contains("secret"), "\(error)")
            #expect(!error.description.contains("\r"))
            #expect(!error.description.isEmpty && error.variable == nil)
        }
    }

    @Test func partsAreCheckedLikeURLs() throws {
        #expect(try Proxy(.http, host: "::1").host == "::1")
        #expect(try Proxy(.socks5, host: "[::1]").port == 1080)
        for host in ["", "a b", "u:p@h", "u@h", "a/b", "a?b", "a#b", "::g"] {
            #expect(throws: ProxyMalformation.self) { try Proxy(.http, host: host, port: 1) }
        }
        #expect(throws: ProxyMalformation.self) { try Proxy(.http, host: "h", port: 0) }
        #expect(throws: ProxyMalformation.self) {
            try Proxy(.http, host: "h", credentials: Credentials(user: "a:b", password: "c"))
        }
    }
}
