// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCache
@testable import CumulusCore

/// Every identity and route against every other one, in one cache, for a server that says `public` and forgets `Vary`:
/// each gets its own response, and finds it again.
@Suite(.timeLimit(.minutes(10))) struct IdentityMatrixTests {
    /// A resource as one user sees it.
    private struct Asker {
        let name: String
        let resource: Resource
    }

    private struct Routed: Transport {
        let inner: StubTransport
        let identity: TransportIdentity

        var capabilities: TransportCapabilities { inner.capabilities }
        func identity(at origin: Origin) -> TransportIdentity { identity }
        func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(request) }
    }

    /// Header fields by which services tell users, tenants, devices, sessions and versions apart.
    private static let names = [
        "Authorization", "Cookie", "From", "Origin", "Prefer", "baggage", "Forwarded", "Via", "Sudo", "Tenant",
        "X-User", "X-User-Id", "X-Username", "X-User-Email", "X-User-Token", "X-Uid", "X-Login", "X-Person",
        "X-Forwarded-User", "X-Forwarded-Email", "X-Forwarded-Preferred-Username", "X-Forwarded-Groups",
        "X-Forwarded-Access-Token", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Client-Cert", "X-Real-IP",
        "True-Client-IP", "CF-Connecting-IP", "Remote-User", "Remote-Groups", "X-Remote-User", "X-Remote-Group",
        "X-Auth-Request-User", "X-Auth-Request-Email", "X-Auth-User", "X-Auth-Token", "X-Auth-Key", "X-Auth-Email",
        "X-Authenticated-User", "X-Authenticated-Userid", "X-Authenticated-Groups", "X-WebAuth-User",
        "X-Goog-Authenticated-User-Email", "X-Goog-Iap-Jwt-Assertion", "X-Goog-User-Project", "X-Goog-Api-Key",
        "Cf-Access-Jwt-Assertion", "Cf-Access-Client-Id", "X-Amzn-Oidc-Data", "X-Amzn-Oidc-Identity",
        "X-Amz-Security-Token", "X-MS-Client-Principal", "X-MS-Client-Principal-Name", "X-MS-Token-AAD-Id-Token",
        "X-Client-DN", "X-Client-Cert", "X-SSL-Client-S-DN", "X-SSL-Client-Verify", "SSL-Client-Cert", "Client-Cert",
        "X-Consumer-ID", "X-Consumer-Username", "X-Consumer-Custom-ID", "X-Credential-Identifier", "X-WSSE", "X-PAT",
        "Impersonate-User", "Impersonate-Group", "X-Impersonate", "X-Act-As", "X-Acting-As", "X-On-Behalf-Of",
        "X-Delegate", "X-Switch-User", "X-Vault-Namespace", "X-Vault-Token", "X-Consul-Namespace", "X-Nomad-Token",
        "X-Scope-OrgID", "X-Grafana-Org-Id", "THANOS-TENANT", "X-Tenant", "X-Tenant-Id", "X-Org-Id", "X-Organization",
        "OpenAI-Organization", "OpenAI-Project", "Anthropic-Workspace", "X-Project-Id", "X-Realm", "X-Domain-Id",
        "X-Account", "X-AccountId", "Stripe-Account", "PayPal-Auth-Assertion", "X-Merchant-Id", "X-Shop-Id",
        "X-Shopify-Access-Token", "X-Customer-Id", "X-Client-Id", "X-Client-Name", "X-Device-Id", "X-Installation-Id",
        "X-Session-Id", "Mcp-Session-Id", "X-Employee-Id", "X-Staff-Id", "X-Student-Id", "X-Patient-Id",
        "X-Member-Number", "X-SSN", "X-Passport", "X-Phone", "X-MSISDN", "X-UIDH", "X-Up-Calling-Line-Id",
        "X-Subscriber-Id", "X-Role", "X-Roles", "X-Scopes", "X-Permissions", "X-Plan", "X-Beta-Group", "X-Experiment",
        "X-Country", "X-CSRF-Token", "X-XSRF-TOKEN", "X-API-Key", "Api-Version", "X-GitHub-Api-Version", "X-Foo",
    ]

    /// A server whose responses are all different.
    private func stub(_ headers: Headers) -> StubTransport {
        StubTransport { request in
            let body = Array("body \(request.number)".utf8)
            var headers = headers
            headers[.contentLength] = "\(body.count)"
            return .response(headers: headers, body: body)
        }
    }

    private static let answers: [Headers] = [
        [.cacheControl: "public, max-age=600"], [.cacheControl: "max-age=600", .vary: "Accept, X-Unused"],
        [.expires: Stored.date(600), .eTag: "\"1\"", .setCookie: "sid=1"],
    ]

    private func root(_ url: String, _ transport: any Transport, _ cache: ResponseCache) -> Resource {
        let clock = ManualClock(now: cache.engine.time.instant)
        return Resource(url, transport: transport.watched) {
            $0.cache = cache
            $0.clock = clock
            $0.retry = .never
        }
    }

    /// Users who are known in another process as well, and if `all`, those who aren't.
    private func users(of site: Resource, all: Bool) throws -> [Asker] {
        var askers = [Asker(name: "anonymous", resource: site)]
        for name in Self.names {
            for value in ["ann", "bob"] {
                let user = site.with { $0.headers[Headers.Name(name)] = value }
                askers.append(Asker(name: "\(name): \(value)", resource: user))
            }
        }
        for host in ["tenant-a", "tenant-b", "a.example:8443"] {
            askers.append(Asker(name: "Host: \(host)", resource: site.with { $0.headers["Host"] = host }))
        }
        var authorizers: [(String, BoundAuthorizer)] = []
        for (user, password) in [("ann", "right"), ("ann", "wrong"), ("bob", "right")] {
            let netrc = try NetrcFile(parsing: Array("machine a.example login \(user) password \(password)".utf8))
            authorizers += [
                ("Basic", .basic(user: user, password: Secret(password))),
                ("Digest", .digest(user: user, password: Secret(password))),
                ("netrc", .netrc(netrc)), ("Bearer", .bearer(Secret("\(user)-\(password)"))),
                ("key in a field", .apiKey(Secret("\(user)-\(password)"), header: "X-Key")),
                ("key in the query", .apiKey(Secret("\(user)-\(password)"), query: "key")),
                ("parameters", .sortedParameters(secret: Secret("\(user)-\(password)"))),
                ("AWS", .custom(AWSAuthorizer(.keys(id: user, secret: Secret(password)), region: "r", service: "s"))),
            ]
        }
        for (name, authorizer) in authorizers {
            askers.append(Asker(name: name, resource: site.with { $0.authorizers = [authorizer] }))
        }
        guard all else { return askers }
        for number in 0..<3 {
            let jar = CookieJar()
            // A response changes its value, which doesn't make another user.
            try jar.set("sid=0", from: "https://a.example/x")
            if number > 0 { try jar.set("s=\(number)", from: "https://a.example/") }
            askers.append(Asker(name: "jar \(number)", resource: site.with { $0.cookies = jar }))
            let asking = site.with { $0.authorizers = [.prompting { _ in nil }] }
            askers.append(Asker(name: "prompt \(number)", resource: asking))
        }
        return askers
    }

    /// The same URL over routes that differ.
    private func routes(to url: String, _ stub: StubTransport, _ cache: ResponseCache) throws -> [Asker] {
        var identities: [TransportIdentity] = []
        let routes = [
            ["socket", "/a"], ["socket", "/b"], ["address", "127.0.0.2"], ["pin", "x"], ["authority", "y"],
        ]
        for client in ["", "ann's certificate", "bob's certificate"] {
            for route in routes {
                identities.append(
                    TransportIdentity(client: client.isEmpty ? [] : [Secret(client)], route: route.map { Secret($0) })
                )
            }
            if !client.isEmpty { identities.append(TransportIdentity(client: [Secret(client)])) }
        }
        identities += [.anonymous.over("wrapped"), TransportIdentity(client: ["ann's certificate"]).over("wrapped")]
        var askers = identities.enumerated().map { number, identity in
            Asker(name: "route \(number)", resource: root(url, Routed(inner: stub, identity: identity), cache))
        }
        let plain = root(url, Routed(inner: stub, identity: .anonymous), cache)
        let listed = try AddressPolicy.publicOnly(allowing: "a.example")
        for policy in [AddressPolicy.publicOnly, listed] {
            askers.append(Asker(name: "\(policy)", resource: plain.with { $0.allowedAddresses = policy }))
        }
        guard url.hasPrefix("http:") else { return askers }
        for text in ["http://one.example", "http://two.example", "http://u:p@one.example", "socks5://one.example"] {
            let proxy = try ProxyPolicy.url(text)
            askers.append(Asker(name: text, resource: plain.with { $0.proxy = proxy }))
        }
        return askers
    }

    /// Lets each ask, then each in the other order: how many cases there were, and the names of those who got another's
    /// response, or not their own.
    private func shared(_ askers: [Asker], _ stub: StubTransport) async throws -> (cases: Int, shared: [String]) {
        var (texts, shared) = ([String: Int](), [String]())
        var own: [String?] = []
        for (number, asker) in askers.enumerated() {
            let response = try await asker.resource["x"].get()
            let text = response.text ?? ""
            if let other = texts[text] { shared.append("\(asker.name) got that of \(askers[other].name)") }
            texts[text] = number
            own.append(text)
        }
        for (number, asker) in askers.enumerated().reversed() {
            let response = try await asker.resource["x"].get()
            if response.text != own[number] || response.cacheStatus?.isHit != true {
                shared.append("\(asker.name) didn't get its own: \(response.storeNote ?? "-")")
            }
        }
        #expect(stub.requests.count == askers.count)
        return (askers.count * (askers.count - 1), shared)
    }

    @Test(arguments: ["https://a.example", "http://a.example"])
    func noIdentityGetsTheResponseOfAnother(url: String) async throws {
        var cases = 0
        for headers in Self.answers {
            let cache = ResponseCache.memory(megabytes: 10, date: Stored.arrival)
            let stub = stub(headers)
            let site = root(url, Routed(inner: stub, identity: .anonymous), cache)
            let askers = try users(of: site, all: true) + routes(to: url, stub, cache)
            let (count, shared) = try await shared(askers, stub)
            #expect(shared == [])
            cases += count
        }
        #expect(Self.names.count >= 120 && Set(Self.names.map { $0.lowercased() }).count == Self.names.count)
        #expect(cases >= 36_000)
    }

    @Test func noIdentityGetsTheResponseOfAnotherFromADisk() async throws {
        let folder = try TemporaryFolder()
        let cache = ResponseCache.disk(folder.path, date: Stored.arrival)
        let stub = stub(Self.answers[0])
        let site = root("https://a.example", Routed(inner: stub, identity: .anonymous), cache)
        let askers = try users(of: site, all: false) + routes(to: "https://a.example", stub, cache)
        let (cases, shared) = try await shared(askers, stub)
        #expect(shared == [] && cases >= 36_000)
    }

    /// What the rule costs: identifiers of requests and traces, and a program's own name, don't cost a hit.
    @Test func aProgramThatSendsNeutralFieldsKeepsItsHits() async throws {
        let stub = stub(Self.answers[0])
        let site = root("https://a.example", stub, .memory(megabytes: 1, date: Stored.arrival))
        for number in 0..<100 {
            let response = try await site["x"].get(headers: [
                "X-Request-ID": "\(UUID())", "X-Correlation-ID": "\(UUID())", "X-B3-TraceId": "\(number)",
                "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba90\(100 + number)-01",
                "tracestate": "vendor=\(number)", .userAgent: "Program/\(number)",
                "Referer": "https://b.example/\(number)",
            ])
            #expect(response.cacheStatus?.isHit == (number > 0))
        }
        #expect(stub.requests.count == 1)
    }

    @Test func aSettingAddsNeutralFields() async throws {
        let stub = stub(Self.answers[0])
        let site = root("https://a.example", stub, .memory(megabytes: 1, date: Stored.arrival))
        site.setRules { $0.neutralHeaders = ["X-Build"] }
        let child = site["x"].with { $0.neutralHeaders.append("x-variant") }
        for number in 0..<3 {
            _ = try await site["x"].get(headers: ["x-build": "\(number)"])
            _ = try await child.get(headers: ["X-Build": "\(number)", "X-Variant": "\(number)"])
        }
        #expect(stub.requests.count == 1)
        _ = try await site["x"].get(headers: ["X-Variant": "1"])
        #expect(stub.requests.count == 2)
    }
}
