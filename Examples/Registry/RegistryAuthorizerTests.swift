// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Foundation
import Testing

/// The authorizer against a stub of a registry, and against Debian's docker-registry if `Scripts/interop.sh` has started
/// one.
@Suite(.timeLimit(.minutes(10))) struct RegistryAuthorizerTests {
    private let clock = ManualClock()

    /// A registry that wants a token for each repository, and the service that issues them.
    private func stub(
        realm: String = "https://auth.example/token",
        service: String = "registry.example",
        scope: String = "repository:tea/green:pull"
    ) -> StubTransport {
        StubTransport { request in
            if request.path == "/token" {
                let scope = request.queryValue("scope") ?? "-"
                return .json(["token": .string("\(request.number)@\(scope)"), "expires_in": 305])
            }
            if request.headers[.authorization]?.hasPrefix("Bearer ") == true { return .json(["tags": ["latest"]]) }
            let challenge = #"Bearer realm="\#(realm)",service="\#(service)",scope="\#(scope)""#
            return .status(.unauthorized, headers: [.wwwAuthenticate: challenge])
        }
    }

    private func registry(_ transport: StubTransport, actions: Set<Substring> = ["pull"]) -> Resource {
        let tokens = Resource("https://auth.example/token", transport: transport) {
            $0.credentials = Credentials(user: "ada", password: "lovelace")
        }
        return Resource("https://registry.example/v2", transport: transport) {
            $0.clock = clock
            $0.authorizers.append(RegistryAuthorizer(tokens: tokens, service: "registry.example", actions: actions))
        }
    }

    private func questions(_ transport: StubTransport) -> [StubRequest] {
        transport.requests.filter { $0.path == "/token" }
    }

    @Test("A token is asked once, with the password, and used until it expires")
    func oneToken() async throws {
        let transport = stub()
        let tags = registry(transport)["tea/green/tags/list"]
        for _ in 0..<3 { #expect(try await tags.get(as: JSON.self)["tags"][0] == "latest") }
        let asked = questions(transport)
        #expect(asked.count == 1 && transport.requests.count == 5)
        #expect(asked[0].queryValue("service") == "registry.example")
        #expect(asked[0].queryValue("scope") == "repository:tea/green:pull")
        #expect(asked[0].headers[.authorization]?.hasPrefix("Basic ") == true)
        clock.advance(by: .seconds(301))
        try await tags.get().requireSuccess()
        #expect(questions(transport).count == 2)
    }

    @Test("Requests that are refused at the same time wait for one token")
    func manyAtOnce() async throws {
        let transport = stub()
        let tags = registry(transport)["tea/green/tags/list"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await tags.get().requireSuccess() } }
            try await group.waitForAll()
        }
        let tokens = Set(
            transport.requests.compactMap { $0.headers[.authorization] }.filter { $0.hasPrefix("Bearer ") }
        )
        #expect(tokens.count == questions(transport).count)
    }

    @Test("A token service at the registry's own origin is asked without the password")
    func ownService() async throws {
        let transport = stub(realm: "https://registry.example/token", service: "whatever")
        try await registry(transport)["tea/green/tags/list"].get().requireSuccess()
        #expect(questions(transport).map { $0.headers[.authorization] } == [nil])
    }

    /// What a registry must not get.
    struct Demand: Sendable, CustomStringConvertible {
        let description: String
        var realm = "https://auth.example/token"
        var service = "registry.example"
        var scope = "repository:tea/green:pull"
        let says: String
    }

    @Test(
        arguments: [
            Demand(description: "this machine", realm: "https://127.0.0.1:8443/token", says: "neither its own origin"),
            Demand(description: "a private address", realm: "http://10.0.0.1/token", says: "neither its own origin"),
            Demand(description: "another service", realm: "https://evil.example/token", says: "neither its own origin"),
            Demand(description: "another registry's token", service: "bank.example", says: "another service"),
            Demand(description: "another repository", scope: "repository:tea/black:pull", says: "asks for more"),
            Demand(description: "another action", scope: "repository:tea/green:pull,push", says: "asks for more"),
            Demand(description: "the catalog", scope: "registry:catalog:*", says: "asks for more"),
            Demand(description: "no URL", realm: "auth.example", says: "doesn't say where"),
        ]
    )
    func refused(_ demand: Demand) async throws {
        let transport = stub(realm: demand.realm, service: demand.service, scope: demand.scope)
        let error = await #expect(throws: CumulusError.self) {
            try await registry(transport)["tea/green/tags/list"].get(as: JSON.self)
        }
        #expect(error?.statusCode == 401 && "\(error as Any)".contains(demand.says), "\(error as Any)")
        #expect(transport.requests.count == 1, "nothing else is asked")
    }

    private static func variable(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

    @Test(
        "An image is pushed to docker-registry, and pulled by somebody without a password",
        .enabled(if: !variable("CUMULUS_INTEROP_REGISTRY").isEmpty, "needs the servers of Scripts/interop.sh")
    )
    func dockerRegistry() async throws {
        func registry(_ password: Secret<String>?, _ actions: Set<Substring>) -> Resource {
            let tokens = Resource("\(Self.variable("CUMULUS_INTEROP_REGISTRY_TOKENS"))/token") {
                if let password { $0.credentials = Credentials(user: "ada", password: password) }
            }
            return Resource("\(Self.variable("CUMULUS_INTEROP_REGISTRY"))/v2") {
                $0.trailingSlash = .kept
                $0.authorizers.append(RegistryAuthorizer(tokens: tokens, service: "interop", actions: actions))
            }
        }
        let name = "open/image-\(UUID().uuidString.lowercased())"
        let image = registry("lovelace", ["pull", "push"])[path: name]
        let layer = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let digest = "sha256:\(try await RequestBody.bytes(ByteChunk(layer)).checksum(.sha256).hexadecimal)"
        let begun = try await image["blobs/uploads/"].post().requireSuccess()
        let place = try #require(begun.headers[.location])
        let sent = try await image.follow(place).put(.bytes(layer), query: ["digest": digest])
        #expect(sent.status == .created)
        let pulled = try await registry(nil, ["pull"])[path: name]["blobs"][segment: digest].get()
        #expect(pulled.bytes.bytes == layer)
        let stranger = try await registry(nil, ["pull", "push"])[path: name]["blobs/uploads/"].post()
        #expect(stranger.status == .unauthorized)
        let error = await #expect(throws: CumulusError.self) {
            try await registry("babbage", ["pull"])[path: name]["tags/list"].get()
        }
        #expect(error?.code == .authorization && !"\(error as Any)".contains("babbage"))
    }
}
