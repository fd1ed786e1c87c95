// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// The effect of the setting on requests, over a transport that only records them.
struct ProxySettingTests {
    /// Records the proxy of each request, and answers.
    private final class LookingTransport: Transport {
        let seen = Mutex<[(url: String, proxy: Proxy?)]>([])
        private let usesProxies: Bool
        private let answer: @Sendable (TransportRequest) -> (HTTPResponse.Status, HTTPFields)

        init(
            usesProxies: Bool = true,
            _ answer: @escaping @Sendable (TransportRequest) -> (HTTPResponse.Status, HTTPFields) = { _ in (.ok, [:]) }
        ) {
            self.usesProxies = usesProxies
            self.answer = answer
        }

        var capabilities: TransportCapabilities {
            var capabilities = TransportCapabilities()
            capabilities.usesProxies = usesProxies
            return capabilities
        }

        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            seen.withLock { $0.append(("\(request.origin)\(request.target)", request.proxy)) }
            let (status, fields) = answer(request)
            let token = #"{"access_token": "t", "token_type": "Bearer", "expires_in": 9}"#
            let bytes = request.method == .post ? ByteChunk(token) : .empty
            let body = ResponseBody(complete: bytes, end: ExchangeEnd(trailers: [:], facts: ExchangeFacts()))
            return TransportResponse(head: ResponseHead(status: status, headers: fields), body: body)
        }

        var proxies: [String?] { seen.withLock { $0.map { $0.proxy?.description } } }
    }

    @Test func itIsInheritedAndTheNearestWins() async throws {
        let transport = LookingTransport()
        let site = Resource("http://a.example", transport: transport.watched)
        _ = try await site.get()
        let policy = try ProxyPolicy.url("http://p:1")
        site.setRules { $0.proxy = policy }
        _ = try await site["x"].get()
        let direct = site["y"]
        direct.setRules { $0.proxy = .none }
        _ = try await direct["z"].get()
        _ = try await site.with { $0.proxy = .environment(["all_proxy": "socks5://q:2"]) }["z"].get()
        site.setRules { $0.inherit(\.proxy) }
        _ = try await site["x"].get()
        #expect(transport.proxies == [nil, "http://p:1", nil, "socks5://q:2", nil])
        let secret = try ProxyPolicy.url("http://ada:secret@p:1", except: "b")
        site.setRules { $0.proxy = secret }
        #expect(site.explain(\.proxy).value == "http://p:1, except b")
        #expect(!"\(site.explain(\.proxy))".contains("secret"))
    }

    @Test("each hop uses the proxy of its own origin") func redirectsAreRoutedAnew() async throws {
        let transport = LookingTransport { request in
            switch request.origin.host {
            case "a.example": (.found, [.location: "http://b.example/1"])
            case "b.example": (.found, [.location: "https://c.example/2"])
            default: (.ok, [:])
            }
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let (first, second) = (try Proxy("http://ada:one@p:1"), try Proxy("http://bob:two@q:2"))
        let exceptions = try ProxyExceptions("b.example")
        site.setRules { $0.proxy = ProxyPolicy(http: first, https: second, except: exceptions) }
        _ = try await site.get()
        #expect(transport.seen.withLock { $0.map(\.proxy) } == [first, nil, second])
    }

    @Test func aLinkToAnotherOriginGoesByTheSame() async throws {
        let transport = LookingTransport()
        let site = Resource("http://a.example", transport: transport.watched)
        let policy = try ProxyPolicy.url("p:1")
        site.setRules { $0.proxy = policy }
        _ = try await site.follow("https://b.example/x").get()
        #expect(transport.proxies == ["http://p:1"])
    }

    @Test func requestsForTokensGoByTheProxyToo() async throws {
        let transport = LookingTransport()
        let site = Resource("https://a.example", transport: transport.watched)
        let policy = try ProxyPolicy.url("p:1")
        site.setRules { $0.proxy = policy }
        site.setRules {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "https://id.example/token")
            )
        }
        _ = try await site.get()
        #expect(transport.proxies == ["http://p:1", "http://p:1"])
    }

    @Test func aTransportThatUsesNoneIsNotAsked() async throws {
        let transport = LookingTransport(usesProxies: false)
        let site = Resource("http://a.example", transport: transport)
        let policy = try ProxyPolicy.url("http://ada:secret@p:1", except: "b.example")
        site.setRules { $0.proxy = policy }
        let error = await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(error?.code == .unsupported && error?.message.contains("http://p:1") == true)
        #expect(error?.message.contains("LookingTransport") == true && !"\(error as Any)".contains("secret"))
        #expect(transport.proxies.isEmpty)
        _ = try await site.follow("http://b.example").get()
        #expect(transport.proxies == [nil])
    }

    @Test func a407OfAProxyNamesIt() async throws {
        let transport = LookingTransport { _ in (.proxyAuthenticationRequired, [:]) }
        let site = Resource("http://a.example", transport: transport.watched)
        for (url, words) in [
            ("http://p:1", "it requires credentials"), ("http://ada:secret@p:1", "it does not accept"),
        ] {
            let policy = try ProxyPolicy.url(url)
            site.setRules { $0.proxy = policy }
            let error = await #expect(throws: CumulusError.self) { try await site.get() }
            #expect(error?.code == .proxy && error?.kind == .unreachable)
            #expect(error?.message.contains("the proxy http://p:1 refused the request") == true)
            #expect(error?.message.contains(words) == true && !"\(error as Any)".contains("secret"))
            let failure = error?.cause as? TransportFailure
            #expect((failure?.cause as? ProxyRefusal)?.reason == .credentials)
        }
        // Without a proxy that could have sent it, it is the server's own answer.
        site.setRules { $0.proxy = .none }
        #expect(try await site.call(.get).stream(anyStatus: true).status.code == 407)
        let policy = try ProxyPolicy.url("socks5://p:1")
        site.setRules { $0.proxy = policy }
        #expect(try await site.call(.get).stream(anyStatus: true).status.code == 407)
        let secure = site.follow("https://a.example")
        let plain = try ProxyPolicy.url("http://p:1")
        secure.setRules { $0.proxy = plain }
        #expect(try await secure.call(.get).stream(anyStatus: true).status.code == 407)
    }

    @Test func aVariableThatCannotBeReadIsTheRequestsError() async throws {
        let transport = LookingTransport()
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.proxy = .environment(["http_proxy": "http://p:x"])
        }
        let error = await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(error?.code == .invalidURL && error?.message.contains("http_proxy") == true)
        #expect(transport.proxies.isEmpty)
    }

    @Test func theCommandForCurlNamesIt() async throws {
        let site = Resource("http://a.example", transport: LookingTransport().watched)
        let policy = try ProxyPolicy.url("socks5://ada:secret@p:1")
        site.setRules { $0.proxy = policy }
        let hidden = try await site.call(.get).curl()
        #expect(hidden.contains("--proxy socks5h://p:1 --proxy-user '<redacted>'") && !hidden.contains("secret"))
        #expect(try await site.call(.get).curl(includingSecrets: true).contains("ada:secret"))
        site.setRules { $0.proxy = .none }
        #expect(try await !site.call(.get).curl().contains("--proxy"))
    }
}
