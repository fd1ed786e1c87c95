// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusOAuth
import CumulusTestServer
import Testing

/// CumulusTesting's types for tests of identity and routes.
@Suite(.timeLimit(.minutes(10))) struct IdentityServiceTests {
    @Test("a Digest space answers with challenges if the proof is absent or wrong, else with its own proof")
    func aDigestSpaceAnswersWithChallengesOrWithItsProof() async throws {
        var options = DigestSpace.Options()
        options.algorithms = ["SHA-256", "MD5"]
        let space = DigestSpace(user: "ada", password: "lovelace", options: options)
        let server = try await LoopbackServer.start { routes in
            routes.on(nil, "/vault") { request in space.respond(to: request) { .text("gold") } }
        }
        let vault = Resource(server.url)["vault"]
        let refusal = try await vault.get()
        #expect(refusal.status == .unauthorized && refusal.headers[values: .wwwAuthenticate].count == 2)
        vault.setRules { $0.authorizers.append(.digest(user: "ada", password: "lovelace")) }
        let opened = try await vault.post(.text("open"))
        #expect(opened.text == "gold" && opened.headers["Authentication-Info"]?.contains("rspauth=") == true)
        #expect(opened.url.description == "\(server.url)/vault")
        let other = Resource(server.url)["vault"]
        other.setRules { $0.authorizers.append(.digest(user: "ada", password: "byron")) }
        #expect(try await other.get().status == .unauthorized)
        await server.shutdown()
    }

    @Test func anOAuth2ServiceKnowsTheTokensOfRequests() async throws {
        let identities = OAuth2Service()
        let server = try await LoopbackServer.start { routes in
            identities.install(in: &routes)
            routes.get("/posts") { request in identities.accepts(request) ? .text("Clouds") : .status(.unauthorized) }
        }
        let posts = Resource(server.url)["posts"]
        #expect(try await posts.get().status == .unauthorized)
        posts.setRules {
            $0.authorizers = [
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "\(server.url)/oauth/token")
            ]
        }
        #expect(try await posts.get(as: String.self) == "Clouds")
        await server.shutdown()
    }

    @Test func aLoopbackProxyIsNamedByItsURL() async throws {
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        let proxy = try await LoopbackProxy.start()
        let site = Resource("http://blog.invalid:\(server.port)")
        let policy = try ProxyPolicy.url(proxy.url)
        site.setRules { $0.proxy = policy }
        let answer = try await site.get()
        #expect(answer.text == "here" && answer.facts.proxy?.port == proxy.port && proxy.record.heads.count == 1)
        proxy.shutdown()
        await server.shutdown()
    }

    @Test("a stream has its call's attempts, too") func streams() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/old") { _ in .redirect(to: "/new") }
            routes.get("/new") { _ in .text("here") }
        }
        let site = Resource(server.url)
        let moved = try await site["old"].call(.get).stream()
        #expect(moved.attempts.map(\.reason) == [.call, .redirect] && moved.history.count == 1)
        #expect(try await site["new"].call(.get).stream().attempts.map(\.reason) == [.call])
        await server.shutdown()
    }
}
