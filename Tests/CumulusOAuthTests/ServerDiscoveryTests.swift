// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// Servers and services with metadata, and impostors.
@Suite struct ServerDiscoveryTests {
    private static let issuer = "https://id.example.com"

    /// A resource over a transport with these discovery documents, by URL.
    private func site(
        _ documents: [String: String],
        server: OAuth2Server,
        challenge: String = "Bearer",
        service: OAuth2Service = OAuth2Service()
    ) -> (Resource, StubTransport) {
        let transport = StubTransport { routes in
            routes.on(.get, "/.well-known/*") { request in
                documents[request.url].map { StubResponse.json($0) } ?? .response(.notFound)
            }
            routes.on(.get, "/tenant/.well-known/*") { request in
                documents[request.url].map { StubResponse.json($0) } ?? .response(.notFound)
            }
            service.install(in: &routes)
            routes.on(nil, "*") { request in
                service.accepts(request.headers[.authorization])
                    ? .text("in") : .response(.unauthorized, headers: [.wwwAuthenticate: challenge])
            }
        }
        let site = Resource("https://api.example.com/v1", transport: transport.watched) {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), server: server)
            )
        }
        return (site, transport)
    }

    private static func metadata(issuer: String = issuer, tokens: String = "\(issuer)/oauth/token") -> String {
        #"{"issuer":"\#(issuer)","token_endpoint":"\#(tokens)"}"#
    }

    private func cause(_ site: Resource) async throws -> OAuth2Error {
        try #require(try await failure { try await site.get() }.cause as? OAuth2Error)
    }

    /// Whether any request contained the secret.
    private func hasSecret(_ transport: StubTransport) -> Bool {
        transport.requests.contains {
            $0.text.contains("s3cret") || $0.headers[.authorization]?.hasPrefix("Basic") == true
        }
    }

    @Test(
        "RFC 8414: a server's metadata is found through its issuer",
        arguments: [
            ("https://id.example.com", "https://id.example.com/.well-known/oauth-authorization-server"),
            ("https://id.example.com/tenant", "https://id.example.com/.well-known/oauth-authorization-server/tenant"),
            ("https://id.example.com/tenant", "https://id.example.com/tenant/.well-known/openid-configuration"),
        ]
    )
    func descriptionsAreFound(issuer: String, place: String) async throws {
        let text = ServerDiscoveryTests.metadata(issuer: issuer, tokens: "https://id.example.com/oauth/token")
        let (site, transport) = site([place: text], server: .issuer(issuer))
        #expect(try await site.get().text == "in")
        try await site.get().requireSuccess()
        #expect(transport.requests.filter { $0.path.contains("well-known") }.count <= 2)
    }

    @Test(
        "Metadata of another issuer is refused, and no secret is sent",
        arguments: [
            "https://evil.example", "https://id.example.com/", "https://ID.example.com", "",
        ]
    )
    func anotherIssuerIsRefused(named: String) async throws {
        let place = "https://id.example.com/.well-known/oauth-authorization-server"
        let text = ServerDiscoveryTests.metadata(issuer: named, tokens: "https://id.example.com/oauth/token")
        let (site, transport) = site([place: text], server: .issuer(ServerDiscoveryTests.issuer))
        #expect(try await cause(site).code == .mismatch)
        #expect(!hasSecret(transport))
    }

    @Test("a mismatch shows both issuers as they are written, with and without a slash")
    func mismatchesAreShown() async throws {
        for (asked, named) in [
            ("https://id.example.com", "https://id.example.com/"),
            ("https://id.example.com/", "https://id.example.com"),
        ] {
            let place = "https://id.example.com/.well-known/oauth-authorization-server"
            let text = ServerDiscoveryTests.metadata(issuer: named, tokens: "https://id.example.com/oauth/token")
            let (site, _) = site([place: text], server: .issuer(asked))
            let message = try await cause(site).message
            #expect(message.hasPrefix("the description of \(asked) belongs to the issuer \(named);"))
        }
    }

    @Test(
        "a server that takes a client's secret only in the body gets it there, unless the program chose",
        arguments: [
            (#"["client_secret_post"]"#, nil, true), (#"["client_secret_post","client_secret_basic"]"#, nil, false),
            ("null", nil, false), (#"["private_key_jwt"]"#, nil, false), (#"["client_secret_post"]"#, .basic, false),
            (#"["client_secret_basic"]"#, .body, true),
        ] as [(String, OAuth2Client.Authentication?, Bool)]
    )
    func authenticationMethods(methods: String, chosen: OAuth2Client.Authentication?, isInBody: Bool) async throws {
        let sent = Mutex<[StubRequest]>([])
        let base = ServerDiscoveryTests.issuer
        let metadata =
            #"{"issuer":"\#(base)","token_endpoint":"\#(base)/t","token_endpoint_auth_methods_supported":\#(methods)}"#
        let transport = StubTransport { routes in
            routes.on(.get, "/.well-known/*") { _ in .json(metadata) }
            routes.on(.post, "/t") { request in
                sent.withLock { $0.append(request) }
                return .json(#"{"access_token":"t","token_type":"bearer"}"#)
            }
            routes.on(nil, "*") { _ in .text("in") }
        }
        let site = Resource("https://api.example.com/v1", transport: transport.watched)
        let client = OAuth2Client(id: "atlas", secret: "s3cret", authentication: chosen)
        site.setRules { $0.authorizers.append(.oauth2(.clientCredentials(client), server: .issuer(base))) }
        #expect(try await site.get().text == "in")
        let last = sent.withLock { $0.last }
        let request = try #require(last)
        #expect(request.text.contains("client_secret=s3cret") == isInBody)
        #expect((request.headers[.authorization] == nil) == isInBody)
    }

    @Test func aTokenAddressAtAnUndeclaredOriginGetsNoSecret() async throws {
        let place = "https://id.example.com/.well-known/oauth-authorization-server"
        let documents = [place: ServerDiscoveryTests.metadata(tokens: "https://evil.example/oauth/token")]
        let (site, transport) = site(documents, server: .issuer(ServerDiscoveryTests.issuer))
        let problem = try await cause(site)
        #expect(problem.code == .undeclaredOrigin && problem.description.hasSuffix(".sharing(with: [...])"))
        #expect(!problem.message.contains(".issuer("), "code is only in the description")
        #expect(!hasSecret(transport))
        let declared = OAuth2Server.issuer(ServerDiscoveryTests.issuer)
            .sharing(with: [Origin(scheme: .https, host: "evil.example")])
        #expect(try await self.site(documents, server: declared).0.get().text == "in")
    }

    @Test(
        "Addresses must be https, or on this machine",
        arguments: [
            "http://id.example.com/token", "ftp://id.example.com/", "id.example.com", "http://127.0.0.1.evil.example/",
            "http://localhost.evil.example/", "https://a:b@id.example.com/",
        ]
    )
    func insecureAddressesAreRefused(address: String) throws {
        #expect(throws: OAuth2Error.self) { try OAuth2Endpoints.address(address) }
    }

    @Test(
        "On this machine, TLS is optional",
        arguments: [
            "http://127.0.0.1:8080/token", "http://[::1]/token", "http://localhost:1/token", "http://127.5.5.5/token",
        ]
    )
    func thisMachineMayBePlain(address: String) throws { _ = try OAuth2Endpoints.address(address) }

    @Test("RFC 9728: the service names its server in a refusal, and the request is sent again with a token")
    func announcedServers() async throws {
        let documents = [
            "https://api.example.com/.well-known/oauth-protected-resource":
                #"{"resource":"https://api.example.com/v1","authorization_servers":["https://a.example","https://id.example.com"]}"#,
            "https://id.example.com/.well-known/oauth-authorization-server": ServerDiscoveryTests.metadata(),
        ]
        let challenge =
            "Bearer resource_metadata=\"https://api.example.com/.well-known/oauth-protected-resource\""
        for challenge in [challenge, "Bearer"] {
            let service = OAuth2Service()
            let server = OAuth2Server.announced(oneOf: [ServerDiscoveryTests.issuer])
            let (site, transport) = site(documents, server: server, challenge: challenge, service: service)
            #expect(try await site.get().text == "in")
            #expect(transport.requests.first?.headers[.authorization] == nil)
            service.expireAccessTokens()
            #expect(try await site.get().text == "in")
        }
    }

    @Test(
        "A challenge never determines who gets a secret",
        arguments: [
            // The metadata is at another origin, describes another resource, or names a server that is not allowed.
            (
                "https://evil.example/.well-known/oauth-protected-resource", "https://api.example.com",
                "https://id.example.com"
            ),
            (
                "https://api.example.com/.well-known/oauth-protected-resource", "https://other.example",
                "https://id.example.com"
            ),
            (
                "https://api.example.com/.well-known/oauth-protected-resource", "https://api.example.com/v2",
                "https://id.example.com"
            ),
            (
                "https://api.example.com/.well-known/oauth-protected-resource", "https://api.example.com",
                "https://evil.example"
            ),
            (
                "http://api.example.com/.well-known/oauth-protected-resource", "https://api.example.com",
                "https://id.example.com"
            ),
        ]
    )
    func challengesAreNotTrusted(place: String, resource: String, server: String) async throws {
        let documents = [
            place: #"{"resource":"\#(resource)","authorization_servers":["\#(server)"]}"#,
            "https://id.example.com/.well-known/oauth-authorization-server": ServerDiscoveryTests.metadata(),
            "https://evil.example/.well-known/oauth-authorization-server": ServerDiscoveryTests.metadata(
                issuer: "https://evil.example"
            ),
        ]
        let (site, transport) = site(
            documents,
            server: .announced(oneOf: [ServerDiscoveryTests.issuer]),
            challenge: "Bearer resource_metadata=\"\(place)\", realm=\"https://evil.example/oauth/token\""
        )
        let code = try await cause(site).code
        #expect([.mismatch, .undeclaredOrigin, .insecureAddress].contains(code))
        #expect(!hasSecret(transport))
        #expect(!transport.requests.contains { $0.path == "/oauth/token" })
        // A refusal that leads nowhere is not remembered: the next one may lead somewhere else.
        let count = transport.requests.count
        _ = try? await site.get()
        #expect(transport.requests.dropFirst(count).first?.request.origin.host == "api.example.com")
    }

    @Test func aRealmOfAnotherOriginIsNotAskedForAToken() async throws {
        let service = OAuth2Service()
        let transport = StubTransport { routes in
            routes.on(nil, "/oauth/token") { service.respond(to: $0) }
            let realm = "Bearer realm=\"https://evil.example/oauth/token\",service=\"x\",scope=\"pull\""
            routes.on(nil, "*", .response(.unauthorized, headers: [.wwwAuthenticate: realm]))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: OAuth2Bench.tokens)
            )
        }
        #expect(try await site.get().status.code == 401)
        #expect(Set(transport.requests.map(\.request.origin.host)) == ["api.example.com", "id.example.com"])
    }
}
