// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats
import CumulusServices
import CumulusTesting

struct Account: Codable, Sendable {
    var login: String
}

struct Project: Codable, Sendable {
    var name: String
}

// snippet.typed
struct CodeHost: ServiceEndpoints {
    var service: ServiceDescription {
        var service = ServiceDescription("CodeHost", at: "https://api.example.com")
        service.authorization = .optional(.bearer)
        service.errors = .members("error")
        return service
    }
    let account = Endpoint<String, Account>(.get, "users/{login}")
    let projects = Endpoint<String, Int?, [Project]>(.get, "users/{login}/projects{?page}")
    let create = Endpoint<Project, Project>(.post, "projects")
    let star = Endpoint<String, String, Void>(.put, "starred/{owner}/{name}")
    let work = Endpoint<Work, [Project]>(.get, "users/{login}/work{?page}")
}
// snippet.end

func typed(token: Secret<String>) async throws {
    // snippet.client
    var host = ServiceClient(CodeHost(), transport: DefaultTransport.shared)
    host.service.authorize(token: token)
    let account = try await host.account("ada").send()
    let projects = try await host.projects(account.login, nil).send()
    try await host.star("ada", projects[0].name).send()
    // snippet.end
}

// snippet.labels
/// The inputs of `work`, which is called by `host.work(.init(login: "ada"))`.
struct Work: EndpointInput {
    var login: String
    var page: Int? = nil
}
// snippet.end

func described() throws {
    // snippet.describe
    var host = ServiceDescription("CodeHost", at: "https://api.example.com")
    host.servers.append(ServiceServer("http://127.0.0.1:8080", name: "local"))
    host.headers = ["Accept-Language": "en"]
    host.rate = ServiceRate(limit: .init(10, perSeconds: 1), tracksQuota: true)
    host.maxConcurrentTasks = 3
    host["search"] = EndpointDescription(
        "search",
        template: "search{?q}",
        parameters: [
            EndpointParameter("q", required: true), EndpointParameter("newerThan", field: "since_id", kind: .integer),
            EndpointParameter("order", default: "new", allowed: ["new", "old"]),
        ]
    )
    for problem in host.verify() { print(problem) }  // endpoints[2].template: ...
    // snippet.end
}

func read() async throws {
    // snippet.read
    let definition = try ServiceDescription(contentsOfFile: "CodeHost.plist")  // or JSON
    let host = Service(definition, transport: DefaultTransport.shared)
    let account = try await host.call("user", ["login": "ada"], as: Account.self).send()
    // snippet.end
    print(account)
}

func switching(host: Service) async throws {
    // snippet.servers
    let local = host.at(server: "local")  // by its name in the description
    let test = host.at("http://127.0.0.1:8081")  // or anywhere
    // snippet.end
    _ = (local, test)
}

func calling(host: Service, text: String) async throws {
    // snippet.calls
    var call = host.call("search", ["q": text, "newerThan": 17])
    call.key = .replacing("search")
    let response = try await call.send()
    print(response.statusCode, try response.content)  // JSON, XML, an image, ...
    // snippet.end
}

func hooking(host: Service, run: String) {
    // snippet.hook
    var host = host
    host.hooks.append { request in
        request.headers["X-Run"] = run
        guard request.endpoint.name == "search" else { return }
        request.resource = request.resource.with { $0.timeout = .seconds(60) }
    }
    // snippet.end
    _ = host
}

@MainActor func tasks(host: Service, show: @escaping @MainActor @Sendable (Result<[Project], any Error>) -> Void) {
    // snippet.tasks
    host.setRules { $0.maxConcurrentRequests = 3 }
    let task = host.call("projects", ["login": "ada"], as: [Project].self)
    task.start { result in show(result) }  // on the main actor
    var next = task
    next.query["page"] = 2  // a copy for the next page
    next.start { result in show(result) }
    host.cancelAll()
    // snippet.end
}

func openAPI() async throws {
    // snippet.openapi
    let url = "https://api.example.com/openapi.json"
    let document = try OpenAPIDocument(try await Resource(url).get(as: JSON.self), from: url)
    for gap in document.gaps { print(gap) }  // /paths/~1feed/get/parameters/0: ...
    let host = Service(document.service, transport: DefaultTransport.shared)
    let account = try await host.call("getAccount", ["login": "ada"], as: Account.self).send()
    // snippet.end
    print(account)
}

func paging(projects: Call<Response>) async throws {
    // snippet.paging
    var host = ServiceDescription("CodeHost", at: "https://api.example.com")
    host.paging = .links
    host["search"] = EndpointDescription("search", template: "search{?q}")
    host["search"]?.paging = .cursor(at: "meta.next", query: "after").items(at: "found")

    let results = try Service(host, transport: DefaultTransport.shared).pages("search", ["q": "tea"], of: Project.self)
    // snippet.end
    // snippet.next-page
    let response = try await projects.send()
    if let next = try projects.nextPage(after: response) { print(try await next.send().statusCode) }
    // snippet.end
    _ = results
}

func stubs(host: ServiceClient<CodeHost>) async throws {
    // snippet.stubs
    host.service.setRules { $0.fixtureUse = .only }  // nothing is sent
    try host.stub(\.account, with: .json(Account(login: "ada")))
    try host.service.stub("projects", with: .status(.notFound))
    let account = try await host.account("anybody").send()
    // snippet.end
    print(account)
}
