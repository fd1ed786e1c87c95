// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusTesting
import HTTPTypes
import Testing

@Suite struct ServiceClientTests {
    private struct User: Codable, Sendable, Equatable {
        var login: String
    }

    private struct GitHub: ServiceEndpoints {
        let service = ServiceDescription("GitHub", at: "https://api.github.com")
        let user = Endpoint<String, User>(.get, "users/{login}")
        let search = Endpoint<String, Int?, [User]>(.get, "search{?q,page}")
        let rename = Endpoint<String, User, Void>(.put, "users/{login}")
        let raw = Endpoint<Response>(.get, "zen", name: "words")
        let wrong = Endpoint<String, String, String, Void>(.get, "x/{a}")
    }

    private let transport = StubTransport { _ in
        .text(#"{"login":"ada"}"#, headers: ["Content-Type": "application/json"])
    }

    @Test func endpointsAreFunctionsWithTypes() async throws {
        let github = ServiceClient(GitHub(), transport: transport)
        let user = try await github.user("weipin").send()
        #expect(user == User(login: "ada"))
        #expect(transport.lastRequest?.url == "https://api.github.com/users/weipin")
        _ = try? await github.search("a", nil).send()
        #expect(transport.lastRequest?.url == "https://api.github.com/search?q=a")
        _ = try? await github.search("a", 2).send()
        #expect(transport.lastRequest?.url == "https://api.github.com/search?q=a&page=2")
        try await github.rename("x", User(login: "y")).send()
        #expect(transport.lastRequest?.text == #"{"login":"y"}"#)
        #expect(try await github.raw().send().statusCode == 200)
    }

    private struct Search: EndpointInput {
        var text: String
        var page: Int? = nil
        var kinds: [String] = []

        enum CodingKeys: String, CodingKey {
            case text = "q"
            case page, kinds
        }
    }

    private struct Bare: EndpointInput {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }

    private struct Hub: ServiceEndpoints {
        let service = ServiceDescription("Hub", at: "https://api.github.com")
        let search = Endpoint<Search, Response>(.get, "search{?q,page,kinds*}")
        let renamed = Endpoint<Search, User, Void>(.post, "search/{q}{?page,kinds*}")
        let bare = Endpoint<Bare, Response>(.get, "bare{?q}")
    }

    @Test func inputsWithLabelsAndDefaults() async throws {
        let hub = ServiceClient(Hub(), transport: transport)
        #expect(Hub().verify().isEmpty)
        _ = try await hub.search(.init(text: "a b")).send()
        #expect(transport.lastRequest?.url == "https://api.github.com/search?q=a%20b")
        _ = try await hub.search(.init(text: "a", page: 2, kinds: ["x", "y"])).send()
        #expect(transport.lastRequest?.url == "https://api.github.com/search?q=a&page=2&kinds=x&kinds=y")
        try await hub.renamed(.init(text: "old"), User(login: "new")).send()
        #expect(transport.lastRequest?.url == "https://api.github.com/search/old")
        #expect(transport.lastRequest?.text == #"{"login":"new"}"#)
        let error = await #expect(throws: CumulusError.self) { try await hub.bare(Bare()).send() }
        #expect(error?.code == .encoding && error?.cause is EndpointProblem)
    }

    @Test func propertiesNameTheEndpoints() throws {
        let github = GitHub()
        #expect(github.definition.endpoints.map(\.name) == ["user", "search", "rename", "words", "wrong"])
        #expect(github.verify().map(\.place) == ["wrong"])
        let client = ServiceClient(github, transport: transport)
        #expect(client.user.definition.name == "user")
        #expect(client.service.endpoint("words")?.template == "zen")
    }

    @Test func moreValuesThanParametersAreRefused() async {
        let github = ServiceClient(GitHub(), transport: transport)
        await #expect(throws: CumulusError.self) { try await github.wrong("a", "b", "c").send() }
        #expect(transport.requests.isEmpty)
    }

    @Test func endpointsAreStubbedByTheirProperties() async throws {
        let github = ServiceClient(GitHub(), transport: transport)
        try github.stub(\.user, with: .json(User(login: "grace")))
        #expect(try await github.user("x").send() == User(login: "grace"))
        #expect(transport.requests.isEmpty)
        let call = github.user("y")
        #expect(try await call.send() == User(login: "grace"))
    }
}
