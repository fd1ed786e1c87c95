// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import CumulusTesting
import Foundation
import Synchronization
import Testing

@testable import GuideSnippets

/// The code of the guide's page on authorization, run.
@Suite(.timeLimit(.minutes(10))) struct GuideAuthorizationTests {
    /// A service that says what it was shown, and two places that ask.
    private func withService(_ body: (Resource) async throws -> Void) async throws {
        var options = DigestSpace.Options()
        options.realm = "vault"
        let space = DigestSpace(user: "ada", password: "lovelace", options: options)
        try await withLoopbackServer(routes: { routes in
            for pattern in ["/shown", "/public/shown"] {
                routes.get(pattern) { request in
                    .json([
                        "authorization": request.headers[.authorization], "key": request.headers["X-API-Key"],
                        "query": request.query,
                    ])
                }
            }
            routes.get("/vault") { request in space.respond(to: request) { .text("gold") } }
            routes.get("/archive") { request in
                request.headers[.authorization] == "Basic YWRhOmxvdmVsYWNl"
                    ? .text("letters")
                    : .status(.unauthorized, headers: ["WWW-Authenticate": "Basic realm=\"archive\""])
            }
        }) { server in try await body(Resource(server.url)) }
    }

    private func shown(to place: Resource) async throws -> JSON { try await place["shown"].get(as: JSON.self) }

    @Test("Credentials, a token, and a part of the tree that asks anonymously") func settings() async throws {
        try await withService { site in
            Authorizing.credentials(site: site, password: "lovelace")
            holds(try await shown(to: site)["authorization"].string == "Basic YWRhOmxvdmVsYWNl")
            Authorizing.token(site: site, token: "t0ken")
            holds(try await shown(to: site)["authorization"].string == "Bearer t0ken")
            holds(try await shown(to: Authorizing.anonymous(site: site))["authorization"] == .null)
            var text = ""
            Authorizing.explanation(site: site) { text = "\($0)" }
            holds(text.contains("BearerAuthorizer") && !text.contains("t0ken"))
        }
    }

    @Test("Digest, and Basic that waits: one challenge each, and then none") func challenges() async throws {
        try await withService { site in
            let (vault, archive) = Authorizing.whenAsked(site: site, password: "lovelace")
            for (place, content) in [(vault, "gold"), (archive, "letters")] {
                let (first, second) = (try await place.get(), try await place.get())
                holds((first.attempts + second.attempts).map(\.reason) == [.call, .challenge, .call])
                holds(first.text == content && second.text == content)
            }
        }
    }

    @Test("A program asks its user once, for five requests at a time") func prompting() async throws {
        try await withService { site in
            let questions = Mutex<[String]>([])
            Authorizing.asking(site: site) { question in
                questions.withLock { $0.append(question) }
                return Credentials(user: "ada", password: "lovelace")
            }
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<5 { group.addTask { try await site["vault"].get(as: String.self) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            holds(texts == [String](repeating: "gold", count: 5))
            let asked = questions.withLock(\.self)
            holds(asked.count == 1 && asked[0].hasSuffix(" wants a password for vault"))
        }
    }

    @Test("A key in a header field and in the query, which nothing prints") func key() async throws {
        try await withService { site in
            Authorizing.key(site: site, key: "k4711")
            let response = try await site["shown"].get()
            let seen = try response.json()
            holds(seen["key"].string == "k4711" && seen["query"].string == "api_key=k4711")
            holds(!"\(response.request)\(try await site["shown"].call(.get).curl())".contains("k4711"))
        }
    }

    @Test("Origins of your own share a token, also across redirects; no other gets it") func sharing() async throws {
        let transport = StubTransport { request in
            guard request.request.origin.host == "api.example.com" else {
                return .text("\(request.request.origin.host): \(request.headers[.authorization] ?? "nothing")")
            }
            let place = request.path == "/cat" ? "images.example.com" : "elsewhere.example.com"
            return .response(.found, headers: [.location: "https://\(place)/"])
        }
        let site = Resource("https://api.example.com", transport: transport)
        Authorizing.sharing(site: site, token: "t0")
        holds(try await site["cat"].get(as: String.self) == "images.example.com: Bearer t0")
        holds(try await site["dog"].get(as: String.self) == "elsewhere.example.com: nothing")
    }

    @Test("A .netrc file that others can read is refused; a private one has the password") func netrc() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-guide-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "netrc").path
        try Data("machine api.example.com login ada password lovelace\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let transport = StubTransport { request in .text(request.headers[.authorization] ?? "nothing") }
        let site = Resource("https://api.example.com", transport: transport)
        #expect(throws: (any Error).self) { try Authorizing.netrc(site: site, path: path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try Authorizing.netrc(site: site, path: path)
        holds(try await site.get(as: String.self) == "Basic YWRhOmxvdmVsYWNl")
    }

    @Test("Your own authorizer: a signature") func signature() async throws {
        let transport = StubTransport { request in .text(request.headers[.authorization] ?? "nothing") }
        let site = Resource("https://api.example.com", transport: transport)
        Authorizing.own(site: site) { "\($0), sealed" }
        holds(try await site["orders"].get(as: String.self) == "Signature k1:GET /orders, sealed")
    }

    @Test("Your own authorizer: a session that a form opens, once for five requests") func session() async throws {
        let transport = StubTransport { routes in
            routes.on(.post, "/session/login") { request in
                guard request.text == "user=ada&password=lovelace" else { return .status(.forbidden) }
                return .status(.noContent, headers: ["Set-Cookie": "sid=s1; HttpOnly"])
            }
            routes.on(.get, "/session/me") { request in
                request.headers[.cookie] == "sid=s1"
                    ? .text("Ada") : .status(.unauthorized, headers: ["WWW-Authenticate": "Form"])
            }
        }
        let site = Resource("https://api.example.com", transport: transport)
        let members = site["session"]
        let credentials = Credentials(user: "ada", password: "lovelace")
        Authorizing.session(site: members, login: site["session/login"], credentials: credentials)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<5 { group.addTask { try await members["me"].get(as: String.self) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == [String](repeating: "Ada", count: 5))
        #expect(transport.requests.count { $0.method == .post } == 1)
    }
}
