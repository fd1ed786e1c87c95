// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

struct ProxyEnvironmentTests {
    private let plain = Origin(scheme: .http, host: "a.example")
    private let secure = Origin(scheme: .https, host: "a.example")

    private func proxies(_ variables: [String: String]) throws -> [String?] {
        let policy = ProxyPolicy.environment(variables)
        return try [plain, secure].map { try policy.proxy(for: $0)?.description }
    }

    @Test(
        arguments: [
            ([:], nil, nil),
            (["http_proxy": "http://p:1"], "http://p:1", nil),
            (["https_proxy": "http://p:1"], nil, "http://p:1"),
            (["all_proxy": "socks5h://p:1"], "socks5://p:1", "socks5://p:1"),
            (["ALL_PROXY": "p:1", "HTTPS_PROXY": "q:2"], "http://p:1", "http://q:2"),
            (["https_proxy": "p:1", "HTTPS_PROXY": "q:2"], nil, "http://p:1"),
            (["https_proxy": "", "HTTPS_PROXY": "q:2"], nil, "http://q:2"),
            (["all_proxy": "p:1", "ALL_PROXY": "q:2", "http_proxy": "r:3"], "http://r:3", "http://p:1"),
            (["https_proxy": "", "http_proxy": "", "all_proxy": ""], nil, nil),
            (["all_proxy": "p:1", "no_proxy": "b.example,.A.example"], nil, nil),
            (["all_proxy": "p:1", "NO_PROXY": "*"], nil, nil),
            (["all_proxy": "p:1", "no_proxy": "b.example", "NO_PROXY": "*"], "http://p:1", "http://p:1"),
            (["all_proxy": "p:1", "no_proxy": "a.example:443"], "http://p:1", nil),
        ] as [([String: String], String?, String?)]
    )
    func isRead(_ variables: [String: String], _ http: String?, _ https: String?) throws {
        #expect(try proxies(variables) == [http, https])
    }

    @Test("HTTP_PROXY in capitals, which a CGI program's clients can set, is never read") func isNotFooled() throws {
        #expect(try proxies(["HTTP_PROXY": "http://evil:1"]) == [nil, nil])
        #expect(try proxies(["HTTP_PROXY": "http://evil:1", "REQUEST_METHOD": "GET"]) == [nil, nil])
        #expect(try proxies(["HTTP_PROXY": "http://evil:1", "all_proxy": "p:2"]) == ["http://p:2", "http://p:2"])
        #expect(!ProxyPolicy.variables.contains("HTTP_PROXY"))
    }

    @Test func aVariableThatCannotBeReadFailsWhatDependsOnIt() throws {
        let policy = ProxyPolicy.environment(["https_proxy": "http://ada:secret@p:x", "no_proxy": "b.example"])
        #expect(try policy.proxy(for: plain) == nil)
        #expect(try policy.proxy(for: Origin(scheme: .https, host: "b.example")) == nil)
        let error = #expect(throws: ProxyMalformation.self) { try policy.proxy(for: secure) }
        #expect(error?.variable == "https_proxy" && error?.description.contains("https_proxy") == true)
        #expect(error?.description.contains("secret") == false && !"\(policy)".contains("secret"))
    }

    @Test("an entry of no_proxy that can't be read is left out, and named") func unreadableEntries() throws {
        let lists = ProxyPolicy.environment(["all_proxy": "p:1", "NO_PROXY": "192.168.*, a.example\u{1B}, b.example,1"])
        let (b, c) = (Origin(scheme: .https, host: "b.example"), Origin(scheme: .https, host: "192.168.1.1"))
        #expect(try lists.proxy(for: b) == nil)
        #expect(try lists.proxy(for: c)?.description == "http://p:1")
        #expect(lists.unreadableExceptions == ["192.168.*", "a.example\\u001b", "1"])
        #expect("\(lists)".hasSuffix("b.example,1 (unreadable: 192.168.*, a.example\\u001b, 1)"), "\(lists)")
        #expect(ProxyPolicy.environment(["no_proxy": "*"]).unreadableExceptions.isEmpty)
    }

    @Test func theProcessesOwnIsRead() throws {
        // Whatever its text, it is parsed without a trap and described without secrets.
        _ = "\(ProxyPolicy.environment)"
        #expect(ProxyPolicy.environment([:]).isNone && ProxyPolicy.environment([:]) == .none)
    }

    @Test func policiesAreDescribed() throws {
        #expect("\(ProxyPolicy.none)" == "none")
        #expect("\(try ProxyPolicy.url("http://u:p@p:1"))" == "http://p:1")
        #expect("\(try ProxyPolicy.url("p:1", except: "a", "10.0.0.0/8"))" == "http://p:1, except a,10.0.0.0/8")
        let two = ProxyPolicy(http: try Proxy("p:1"), https: nil)
        #expect("\(two)" == "http://p:1 for http, none for https")
        #expect(try two.proxy(for: secure) == nil)
        let user = Credentials(user: "ada", password: "x")
        #expect(try two.authenticated(by: user).proxy(for: plain)?.credentials == user)
        #expect(try two.excepting(ProxyExceptions("a.example")).proxy(for: plain) == nil)
    }
}
