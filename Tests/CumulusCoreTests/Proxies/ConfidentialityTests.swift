// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Confidentiality in transit: plain HTTP to this machine is safe unless it goes through a proxy.
@Suite(.timeLimit(.minutes(10))) struct ConfidentialityTests {
    @Test(
        arguments: [
            (nil, "http://localhost", true), (nil, "http://api.localhost", true), (nil, "http://127.0.0.1:8080", true),
            (nil, "http://a.example", false), (nil, "https://a.example", true), ("p:1", "https://a.example", true),
            ("p:1", "http://localhost", false), ("socks5://127.0.0.1:1080", "http://127.0.0.1", false),
            ("https://p", "http://[::1]", false), ("p:x", "http://localhost", false),
            ("p:x", "https://localhost", true),
        ] as [(String?, String, Bool)]
    )
    func thisMachineIsNotTheProxys(_ proxy: String?, _ url: String, _ isConfidential: Bool) throws {
        let policy = proxy.map { ProxyPolicy.environment(["all_proxy": $0]) } ?? .none
        let origin = try RequestURL(url).origin
        #expect(policy.isConfidential(to: origin) == isConfidential)
        guard proxy != nil, origin.scheme == .http else { return }
        let excepted = ProxyPolicy.environment(["all_proxy": "p:1", "no_proxy": origin.authority])
        #expect(excepted.isConfidential(to: origin))
    }

    @Test("a Secure cookie of this machine is neither sent to nor accepted from an unencrypted proxy")
    func secureCookies() async throws {
        let transport = StubTransport { request in
            request.path == "/set"
                ? .response(headers: [.setCookie: "sid=s3; Secure; Path=/"]) : .text(request.headers[.cookie] ?? "none")
        }
        let site = Resource("http://localhost:3000", transport: transport.watched)
        let jar = CookieJar()
        site.setRules { $0.cookies = jar }
        _ = try await site["set"].get()
        #expect(try await site.get().text == "sid=s3")
        let policy = try ProxyPolicy.url("http://proxy.example:3128")
        site.setRules { $0.proxy = policy }
        var request = try await site.get().request
        #expect(transport.lastRequest?.headers[.cookie] == nil)
        jar.add(to: &request)
        #expect(request.headers[.cookie] == nil)
        jar.removeAll()
        _ = try await site["set"].get()
        #expect(jar.cookies.isEmpty)
        let outside = try ProxyPolicy.url("http://proxy.example:3128", except: "localhost")
        site.setRules { $0.proxy = outside }
        _ = try await site["set"].get()
        #expect(try await site.get().text == "sid=s3")
    }

    @Test("a client's secret is sent to a token address on this machine, but not through a proxy")
    func tokens() async throws {
        for (proxy, count) in [("http://p.example:1", 0), ("socks5://127.0.0.1:1080", 0), (nil, 1)] as [(String?, Int)]
        {
            let transport = StubTransport { request in
                request.path == "/token"
                    ? .json(#"{"access_token":"good","token_type":"Bearer"}"#) : .text("in")
            }
            let site = Resource("https://a.example", transport: transport.watched) {
                $0.authorizers = [
                    .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "http://localhost:1/token")
                ]
            }
            if let proxy {
                let policy = try ProxyPolicy.url(proxy)
                site.setRules { $0.proxy = policy }
            }
            let text = try? await site.get().text
            #expect(text == (proxy == nil ? "in" : nil))
            #expect(transport.requests.filter { $0.path == "/token" }.count == count)
            guard proxy != nil else { continue }
            let error = try await failure { try await site.get() }
            #expect(
                error.code == .authorization
                    && "\(error)".contains("http://localhost:1 would be reached through a proxy without encryption")
            )
        }
    }

    @Test("with a transport that ignores proxies, none is used: 407 is the server's, this machine stays confidential")
    func ignoredProxies() async throws {
        var capabilities = TransportCapabilities()
        capabilities.ignoresProxies = true
        let transport = StubTransport(capabilities: capabilities) { request in
            .response(
                .proxyAuthenticationRequired,
                headers: [.setCookie: "a=1; Secure"],
                body: Array((request.request.proxy == nil ? "none" : "some").utf8)
            )
        }
        let site = Resource("http://localhost", transport: transport.watched) { $0.cookies = CookieJar() }
        let policy = try ProxyPolicy.url("http://p:1")
        site.setRules { $0.proxy = policy }
        let response = try await site.get()
        #expect(response.status.code == 407 && response.text == "none")
        #expect(site.cookies?.cookies.count == 1)
        #expect(try await !site.call(.get).curl().contains("p:1"))
    }

    @Test("a redirect to another origin uses that one's cookies and proxy, and no credentials")
    func anotherOrigin() async throws {
        let transport = StubTransport { request in
            switch (request.request.origin.host, request.path) {
            case ("a.example", "/"):
                .response(.temporaryRedirect, headers: [.location: "https://b.example/1", .setCookie: "a2=x"])
            default:
                .response(
                    .unauthorized,
                    headers: [
                        .wwwAuthenticate: "Basic realm=x, Digest realm=y, nonce=z",
                        .setCookie: "b2=y; Domain=a.example",
                    ]
                )
            }
        }
        let site = Resource("https://a.example", transport: transport.watched)
        let jar = CookieJar()
        try jar.set("a1=1", from: "https://a.example/")
        try jar.set("b1=1; SameSite=None; Secure", from: "https://b.example/")
        try jar.set("bs=1; SameSite=Strict", from: "https://b.example/")
        site.setRules {
            $0.cookies = jar
            $0.authorizers = [.basic(user: "ada", password: "pw"), .digest(user: "ada", password: "pw")]
            $0.headers["X-Own"] = "secret"
        }
        let proxy = try Proxy("http://u:p@p:1")
        let exceptions = try ProxyExceptions("b.example")
        site.setRules { $0.proxy = ProxyPolicy(http: nil, https: proxy, except: exceptions) }
        let response = try await site.get(headers: ["Cookie": "own=1", "Proxy-Authorization": "Basic x"])
        #expect(response.status == .unauthorized)
        let requests = transport.requests
        #expect(requests.map(\.request.proxy) == [proxy, nil])
        #expect(requests.map { $0.headers[.cookie] } == ["own=1; a1=1", "b1=1"])
        #expect(requests.map { $0.headers[.authorization] != nil } == [true, false])
        #expect(requests.map { $0.headers["X-Own"] } == ["secret", nil])
        #expect(requests[1].headers[.proxyAuthorization] == nil)
        #expect(jar.cookies.map(\.name).sorted() == ["a1", "a2", "b1", "bs"])
    }
}
