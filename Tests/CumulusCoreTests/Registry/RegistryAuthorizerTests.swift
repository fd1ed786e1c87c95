// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCore

/// Registry tokens: which service is asked, with which credentials, and how often.
@Suite(.timeLimit(.minutes(1))) struct RegistryAuthorizerTests {
    /// A registry and its token services behind one transport.
    private final class Hub: Sendable {
        let realm: String
        private let asked = Mutex<[String]>([])
        private let now = Mutex(Date(timeIntervalSince1970: 1_000_000))

        init(realm: String = "https://auth.example/token") { self.realm = realm }

        /// The requests for tokens: the user, the address, the scope.
        var questions: [String] { asked.withLock(\.self) }

        func pass(_ seconds: Double) { now.withLock { $0 += seconds } }

        var transport: StubTransport {
            StubTransport { [self] request in
                guard request.request.origin.host == "registry.example" else { return token(request) }
                let needed = request.method == .get ? "pull" : "pull,push"
                let name = RegistryPath.repository(in: request.request.target)
                if request.headers[.authorization] == "Bearer token-for-\(name)-\(needed)" { return .text("ok") }
                if needed == "pull", request.headers[.authorization] == "Bearer token-for-\(name)-pull,push" {
                    return .text("ok")
                }
                let scope = "repository:\(name):\(needed)"
                return .response(
                    .unauthorized,
                    headers: [.wwwAuthenticate: "Bearer realm=\"\(realm)\",service=\"hub\",scope=\"\(scope)\""]
                )
            }
        }

        private func token(_ request: StubRequest) -> StubAnswer {
            let who = request.headers[.authorization] == nil ? "nobody" : "ada"
            asked.withLock { $0.append("\(who) \(request.request.origin.host) \(request.query ?? "")") }
            let scope = PercentEncoding.decode((request.query ?? "").split(separator: "=").last ?? "")
            let parts = scope.split(separator: ":")
            return .json("{\"token\": \"token-for-\(parts[1])-\(parts[2])\", \"expires_in\": 300}")
        }

        func site(_ tokens: String = "https://auth.example/token") -> Resource {
            let transport = transport
            let tokens = Resource(tokens, transport: transport)
            tokens.credentials = Credentials(user: "ada", password: "lovelace")
            let site = Resource("https://registry.example/v2", transport: transport)
            site.authorizers = [.custom(RegistryAuthorizer(tokens: tokens) { [self] in now.withLock(\.self) })]
            return site
        }
    }

    @Test func aTokenOfOneRegistryIsShownToNoOther() async throws {
        let transport = StubTransport { request in
            if request.request.origin.host == "auth.example" { return .json(#"{"token": "t0ken"}"#) }
            if request.headers[.authorization] == "Bearer t0ken" { return .text("ok") }
            let challenge = #"Bearer realm="https://auth.example/token",service="hub",scope="repository:a/b:pull""#
            return .response(.unauthorized, headers: [.wwwAuthenticate: challenge])
        }
        let authorizer = RegistryAuthorizer(tokens: Resource("https://auth.example/token", transport: transport))
        for host in ["registry.example", "other.example"] {
            let site = Resource("https://\(host)/v2", transport: transport)
            site.authorizers = [.custom(authorizer)]
            try await site["a/b/manifests/latest"].get(as: Void.self)
            let first = transport.requests.first { $0.request.origin.host == host }
            #expect(first?.headers[.authorization] == nil)
        }
    }

    @Test func aTokenForEachRepositoryAndUse() async throws {
        let hub = Hub()
        let site = hub.site()
        try await site["a/b/manifests/latest"].get(as: Void.self)
        try await site["a/b/tags/list"].get(as: Void.self)
        #expect(hub.questions == ["ada auth.example service=hub&scope=repository%3Aa%2Fb%3Apull"])
        try await site["a/b/blobs/uploads/"].post(as: Void.self)
        try await site["a/b/manifests/latest"].get(as: Void.self)
        #expect(hub.questions.count == 2)
        try await site["c/manifests/latest"].get(as: Void.self)
        #expect(hub.questions.count == 3)
        hub.pass(296)
        try await site["c/manifests/latest"].get(as: Void.self)
        #expect(hub.questions.count == 4)
    }

    @Test("a challenge never determines who gets a secret: another realm is asked anonymously")
    func anotherRealm() async throws {
        let hub = Hub(realm: "https://evil.example/token")
        try await hub.site()["a/manifests/1"].get(as: Void.self)
        #expect(hub.questions == ["nobody evil.example service=hub&scope=repository%3Aa%3Apull"])
        // Another port is another origin.
        let other = Hub(realm: "https://auth.example:8443/token")
        try await other.site()["a/manifests/1"].get(as: Void.self)
        #expect(other.questions.count == 1 && other.questions[0].hasPrefix("nobody "))
    }

    @Test(
        "a registry elsewhere can't have services on this machine asked, unless its owner named them",
        arguments: ["http://localhost:6379/token", "http://127.0.0.1/token", "http://[::1]/token"]
    )
    func servicesOfThisMachine(realm: String) async throws {
        let hub = Hub(realm: realm)
        let error = try await failure { try await hub.site()["a/manifests/1"].get(as: Void.self) }
        #expect(error.code == .authorization && "\(error)".contains("on this machine"))
        #expect(hub.questions.isEmpty)
        let named = Hub(realm: realm)
        try await named.site(realm)["a/manifests/1"].get(as: Void.self)
        #expect(named.questions.count == 1 && named.questions[0].hasPrefix("ada "))
    }

    @Test(arguments: ["http://auth.example/token", "ftp://x/", "token", ""])
    func realmsWithoutEncryptionAreRefused(realm: String) async throws {
        let hub = Hub(realm: realm)
        let error = try await #require(throws: CumulusError.self) {
            try await hub.site()["a/manifests/1"].get(as: Void.self)
        }
        #expect(error.code == .authorization)
        #expect(hub.questions.isEmpty)
    }

    @Test func manyAtOnceAskOnce() async throws {
        let hub = Hub()
        let site = hub.site()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { try await site["a/manifests/1"].get(as: Void.self) } }
            try await group.waitForAll()
        }
        #expect(hub.questions.count == 1)
    }

    @Test("a token that the registry requested and then refuses ends the call with its 401")
    func refusedToken() async throws {
        let transport = StubTransport { request in
            if request.request.origin.host == "auth.example" { return .json("{\"access_token\": \"t\"}") }
            return .response(.unauthorized, headers: [.wwwAuthenticate: "Bearer realm=\"https://auth.example/\""])
        }
        let site = Resource("https://registry.example/v2", transport: transport)
        let tokens = Resource("https://auth.example", transport: transport)
        site.authorizers = [.custom(RegistryAuthorizer(tokens: tokens))]
        #expect(try await site["a/manifests/1"].get().status == .unauthorized)
        #expect(transport.requests.count == 3)
    }

    @Test("a failing token service is reported once, with its answer")
    func failingTokenService() async throws {
        let transport = StubTransport { request in
            if request.request.origin.host == "auth.example" { return .status(.forbidden) }
            return .response(.unauthorized, headers: [.wwwAuthenticate: "Bearer realm=\"https://auth.example/t\""])
        }
        let site = Resource("https://registry.example/v2", transport: transport)
        site.authorizers = [.custom(RegistryAuthorizer(tokens: Resource("https://auth.example", transport: transport)))]
        let error = try await #require(throws: CumulusError.self) { try await site["a/manifests/1"].get() }
        #expect(
            "\(error)" == "authorization GET https://registry.example/v2/a/manifests/1: "
                + "status GET https://auth.example/t: the server answered 403 Forbidden"
        )
    }

    @Test(arguments: [
        ("/v2/a/b/manifests/x?n=1", "a/b"), ("/v2/a/blobs/uploads/", "a"), ("/v2/", ""), ("/v2/_catalog", ""),
        ("/v1/a/tags/list", ""), ("/v2/a/blobs/b/tags/list", "a"),
    ])
    func repositories(target: String, name: String) { #expect(RegistryPath.repository(in: target) == name) }
}
