// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite struct ServiceTests {
    private struct User: Codable, Sendable, Equatable {
        var login: String
    }

    private let transport = StubTransport { request in
        .text(
            #"{"login":"\#(request.path.split(separator: "/").last ?? "")"}"#,
            headers: ["Content-Type": "application/json"]
        )
    }

    private func service(_ change: (inout ServiceDescription) -> Void = { _ in }) throws -> Service {
        var github = try ServiceDescription(propertyList: Data(ServiceDescriptionTests.profile.utf8), named: "GH")
        change(&github)
        return Service(github, transport: transport)
    }

    private func problem(_ work: () async throws -> Void) async -> EndpointProblem? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? CumulusError)?.cause as? EndpointProblem
        }
    }

    @Test("a service that only tracks its quota keeps the rate limit of the place above")
    func trackedQuota() throws {
        var definition = ServiceDescription("x", at: "https://api.example")
        definition.rate = ServiceRate(tracksQuota: true)
        let site = Resource("https://api.example", transport: transport.watched)
        func limit(_ place: Resource) -> String { place.explain(\.rateLimit).value }
        #expect(limit(Service(definition, on: site["free"]).resource) == "only tracked")
        site.setRules { $0.rateLimit = .requests(5, per: .seconds(1)) }
        #expect(limit(Service(definition, on: site["v1"]).resource) == "5 requests each 1 s, 1 at once")
    }

    @Test func aProfileOfCyclesIsCalledByName() async throws {
        let github = try service()
        let user = try await github.call("user", ["login": "weipin"], as: User.self).send()
        #expect(user == User(login: "weipin"))
        #expect(transport.lastRequest?.url == "https://api.github.com/users/weipin")
        _ = try await github.call("search", ["q": "a b"]).send()
        #expect(transport.lastRequest?.url == "https://api.github.com/search/users?q=a%20b")
        try await github.call("createIssue", ["owner": "o", "repo": "r"], body: .json(["title": "T"])).send()
            .requireSuccess()
        #expect(transport.lastRequest?.method == .post)
        #expect(transport.lastRequest?.text == #"{"title":"T"}"#)
    }

    @Test func valuesStayInTheirPlace() async throws {
        let github = try service()
        _ = try await github.call("user", ["login": "../admin?x=1#y"]).send()
        #expect(transport.lastRequest?.url == "https://api.github.com/users/..%2Fadmin%3Fx%3D1%23y")
        await #expect(throws: CumulusError.self) { try await github.call("user", ["login": ".."]).send() }
        await #expect(throws: CumulusError.self) { try await github.call("user", ["login": ""]).send() }
    }

    @Test func aCallThatDoesNotFitIsRefusedBeforeItIsSent() async throws {
        let github = try service()
        #expect(await problem { _ = try await github.call("usr").send() } == .unknownEndpoint("usr"))
        #expect(await problem { _ = try await github.call("user", ["logn": "x"]).send() } == .unknownParameter("logn"))
        #expect(
            await problem { _ = try await github.call("createIssue", ["owner": nil]).send() }
                == .missingParameters(["owner", "repo"])
        )
        #expect(transport.requests.isEmpty)
    }

    @Test func eachParameterGoesToItsPlace() async throws {
        let github = try service { service in
            service["do"] = EndpointDescription(
                "do",
                .post,
                template: "a/{id}{?deep}",
                parameters: [
                    EndpointParameter("since", field: "since_id", kind: .integer),
                    EndpointParameter("run", in: .header, field: "X-Run"),
                    EndpointParameter("title", in: .body, required: true),
                    EndpointParameter("count", in: .body, field: "n"),
                    EndpointParameter("order", default: "new", allowed: ["new", "old"]),
                ]
            )
        }
        _ = try await github.call(
            "do",
            ["id": 7, "deep": ["a", "b"], "since": 5, "run": ["x", "y"], "title": "T", "count": 2]
        ).send()
        let request = try #require(transport.lastRequest)
        #expect(request.url == "https://api.github.com/a/7?deep=a,b&since_id=5&order=new")
        #expect(request.headers["X-Run"] == "x, y")
        #expect(request.text == #"{"title":"T","n":2}"#)
        let texts = EndpointArguments(texts: [("id", "7"), ("since", "5"), ("title", "5")])
        _ = try await github.call("do", texts).send()
        #expect(transport.lastRequest?.text == #"{"title":"5"}"#)
        let bad = EndpointArguments(texts: [("id", "7"), ("since", "five"), ("title", "T")])
        #expect(await problem { _ = try await github.call("do", bad).send() } != nil)
        #expect(
            await problem { _ = try await github.call("do", ["id": 1, "title": "T", "order": "odd"]).send() } != nil
        )
        #expect(
            await problem { _ = try await github.call("do", ["id": 1, "title": "T"], body: .text("x")).send() } != nil
        )
    }

    @Test func bodiesAreMadeAsTheFormatSays() async throws {
        let parameters = [EndpointParameter("text", in: .body), EndpointParameter("image", in: .body, kind: .file)]
        let github = try service { service in
            service["form"] = EndpointDescription(
                "form",
                .post,
                template: "f",
                parameters: parameters,
                bodyFormat: .form
            )
            service["parts"] = EndpointDescription(
                "parts",
                .post,
                template: "p",
                parameters: parameters,
                bodyFormat: .multipart
            )
        }
        _ = try await github.call("form", ["text": "a b&c"]).send()
        #expect(transport.lastRequest?.text == "text=a%20b%26c")
        var values: EndpointArguments = ["text": "hi"]
        values.attach(.bytes([1, 2], fileName: "a.png"), for: "image")
        _ = try await github.call("parts", values).send()
        let body = String(decoding: transport.lastRequest?.body ?? [], as: UTF8.self)
        #expect(body.contains(#"name="image"; filename="a.png""#) && body.contains("hi"))
        #expect(await problem { _ = try await github.call("form", values).send() } != nil)
    }

    @Test func theServersAreSwitched() async throws {
        let github = try service {
            $0.servers = ["https://a.example/v1", ServiceServer("https://b.example", name: "try")]
        }
        github.setRules {
            $0.authorizers.append(.bearer("secret"))
            $0.headers["X-Run"] = "1"
        }
        _ = try await github.call("user", ["login": "x"]).send()
        #expect(transport.lastRequest?.url == "https://a.example/v1/users/x")
        #expect(transport.lastRequest?.headers[.authorization] == "Bearer secret")
        _ = try await github.at(server: "try").call("user", ["login": "x"]).send()
        #expect(transport.lastRequest?.url == "https://b.example/users/x")
        #expect(transport.lastRequest?.headers[.authorization] == nil)
        #expect(transport.lastRequest?.headers["X-Run"] == "1")
        _ = try await github.at("http://127.0.0.1:9").call("user", ["login": "x"]).send()
        #expect(transport.lastRequest?.url == "http://127.0.0.1:9/users/x")
        await #expect(throws: CumulusError.self) {
            try await github.at(server: "none").call("user", ["login": "x"]).send()
        }
    }

    @Test func withoutABaseURLTemplatesAreWholeURLs() async throws {
        let github = try service { service in
            service.servers = []
            service.endpoints = [EndpointDescription("a", template: "https://a.example/x/{id}{?q}")]
        }
        _ = try await github.call("a", ["id": "..x", "q": 1]).send()
        #expect(transport.lastRequest?.url == "https://a.example/x/..x?q=1")
    }

    @Test("A description without a base URL gets it from the program, as Cycles' profiles do")
    func theProgramGivesTheBaseURL() async throws {
        let profile = #"{"Resources":[{"Name":"user","URITemplate":"users/{login}"}]}"#
        let definition = try ServiceDescription(json: Array(profile.utf8), named: "GitHub")
        #expect(definition.verify().isEmpty)
        let github = Service(definition, transport: transport)
        let error = await #expect(throws: CumulusError.self) { try await github.call("user", ["login": "x"]).send() }
        #expect(error?.message.contains("no base URL") == true)
        _ = try await github.at("http://a.example").call("user", ["login": "x"]).send()
        #expect(transport.lastRequest?.url == "http://a.example/users/x")
        let other = Service(definition, on: Resource("http://b.example/v1", transport: transport.watched))
        _ = try await other.call("user", ["login": "x"]).send()
        #expect(transport.lastRequest?.url == "http://b.example/v1/users/x")
    }

    @Test("The error of a hook has its stage and the request")
    func aHookRefuses() async throws {
        struct Closed: Error {}
        var github = try service()
        github.hooks.append { _ in throw Closed() }
        let error = await #expect(throws: CumulusError.self) { try await github.call("user", ["login": "x"]).send() }
        #expect(error?.code == .refused && error?.stage == .preflight && error?.cause is Closed)
        #expect(error?.request?.method == .get && error?.request?.target == "/users/x")
        #expect(transport.requests.isEmpty)
    }

    @Test func aHookSeesEachRequest() async throws {
        var github = try service()
        github.hooks.append { request in
            request.headers["X-Endpoint"] = request.endpoint.name
            request.resource = request.resource.with { $0.timeout = .seconds(5) }
            if request.endpoint.name == "search" { throw CancellationError() }
        }
        _ = try await github.call("user", ["login": "x"]).send()
        #expect(transport.lastRequest?.headers["X-Endpoint"] == "user")
        await #expect(throws: CancellationError.self) { try await github.call("search").send() }
        #expect(github.timeout != .seconds(5))
    }

    @Test func serviceIsNoUsersCopyUnlessItIsMadeOnOne() async throws {
        var description = ServiceDescription("Clouds", at: "http://a.example")
        description.headers = ["X-Service": "clouds"]
        description.maxConcurrentTasks = 3
        description.endpoints = [EndpointDescription("all", template: "all")]
        let site = Resource("http://a.example", transport: transport)
        let service = Service(description, on: site)
        service.setRules { $0.headers["X-Rule"] = "1" }
        _ = try await service.call("all").send()
        #expect(transport.lastRequest?.headers["X-Rule"] == "1")

        let ada = Service(description, on: site.with { $0.headers["X-User"] = "ada" })
        _ = try await ada.call("all").send()
        #expect(site.explain(\.maxConcurrentRequests).value == "3")
        ada.setRules { $0.headers["X-Rule"] = "2" }
        await #expect(throws: CumulusError.self) { _ = try await ada.call("all").send() }
    }

    @Test func errorsAreReadAsTheServiceTellsThem() async throws {
        let failing = StubTransport { _ in
            .text(#"{"error":"over capacity"}"#, headers: ["Content-Type": "application/json"])
        }
        var twitter = ServiceDescription("Twitter", at: "http://twitter.example")
        twitter.errors = .members("error", "error_code")
        twitter.endpoints = [EndpointDescription("a", template: "a"), EndpointDescription("b", template: "b")]
        twitter.endpoints[1].errors = ErrorConvention()
        let service = Service(twitter, transport: failing)
        await #expect {
            try await service.call("a", as: JSON.self).send()
        } throws: { error in
            (error as? CumulusError)?.serviceError(as: ServiceError.self)?.message == "over capacity"
        }
        #expect(try await service.call("b", as: JSON.self).send()["error"] == "over capacity")
    }

    @Test func aProofThatIsNeededIsAskedForBeforeAnythingIsSent() async throws {
        var github = try service { service in
            service.authorization = .required(.keyInHeader("X-Key"))
            service.endpoints[1].authorization = .anonymous
        }
        #expect(
            await problem { _ = try await github.call("user", ["login": "x"]).send() }
                == .missingAuthorization(.required(.keyInHeader("X-Key")))
        )
        github.authorize(token: "secret")
        _ = try await github.call("user", ["login": "x"]).send()
        #expect(transport.lastRequest?.headers["X-Key"] == "secret")
        _ = try await github.call("search").send()
        #expect(transport.lastRequest?.headers["X-Key"] == nil)
    }

    @Test func theSameDescriptionMakesStubs() async throws {
        let github = try service()
        github.setRules { $0.fixtureUse = .only }
        try github.stub("user", with: .json(["login": "ada"]))
        #expect(try await github.call("user", ["login": "anybody"], as: User.self).send() == User(login: "ada"))
        await #expect(throws: CumulusError.self) { try await github.call("search").send() }
        #expect(throws: EndpointProblem.self) { try github.stub("usr", with: .json("")) }
        #expect(transport.requests.isEmpty)
    }

    @Test func settingsAreInheritedAndTheDescriptionsCount() async throws {
        let root = Resource("https://a.example/api", transport: transport.watched) { $0.headers["X-Root"] = "1" }
        var description = try service().definition
        description.headers = ["X-Service": "2"]
        description.maxConcurrentTasks = 3
        description.responseFormat = .json
        let github = Service(description, on: root)
        #expect(github.resource.explain(\.maxConcurrentRequests).value == "3")
        _ = try await github.with { $0.headers["X-Call"] = "3" }.call("user", ["login": "x"]).send()
        let request = try #require(transport.lastRequest)
        #expect(request.url == "https://a.example/api/users/x")
        #expect(
            request.headers["X-Root"] == "1" && request.headers["X-Service"] == "2" && request.headers["X-Call"] == "3"
        )
        #expect(request.headers[.accept] == "application/json")
    }

    @MainActor @Test func aCallIsATaskThatIsCopiedForTheNextPage() async throws {
        let github = try service { $0["search"]?.template = "search{?q,page}" }
        let first = github.call("search", ["q": "swift"], as: User.self)
        var second = first
        second.query["page"] = 2
        let user = try await withCheckedThrowingContinuation { continuation in
            second.start { result in
                MainActor.assertIsolated()
                continuation.resume(with: result)
            }
        }
        #expect(user == User(login: "search"))
        #expect(transport.lastRequest?.query == "q=swift&page=2")
        _ = try await first.send()
        #expect(transport.lastRequest?.query == "q=swift")
    }
}
