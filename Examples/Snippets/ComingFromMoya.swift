// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices
import CumulusTesting
import Foundation
import Logging

struct User: Codable, Sendable {
    var login: String
}

// snippet.endpoints
struct Users: ServiceEndpoints {
    var service: ServiceDescription {
        var service = ServiceDescription("Users", at: "https://api.example.com")
        service.headers = ["Accept-Language": "en"]
        return service
    }
    let user = Endpoint<String, User>(.get, "users/{login}")
    let search = Endpoint<String, Int?, [User]>(.get, "users{?q,page}")
    let create = Endpoint<User, User>(.post, "users")
}
// snippet.end

func callsMoya(users: ServiceClient<Users>, token: Secret<String>, logger: Logger) async throws {
    _ = ServiceClient(Users(), transport: DefaultTransport.shared)
    _ = try await users.user("ada").send()
    _ = Endpoint<String, User>(.get, "users/{login}")
    _ = try await users.search("a", 2).send()
    _ = try await users.create(User(login: "ada")).send()
    _ = users.service.at("http://127.0.0.1:8080")
    try users.stub(\.user, with: .json(User(login: "ada")))
    var mine = users
    mine.service.authorize(token: token)
    users.service.setRules { $0.logger = logger }
}

func callsGet(site: Resource, file: URL) async throws {
    _ = Resource("https://api.example.com")
    _ = try await site["user"].get(as: User.self)
    _ = try await site["users"].post(body: User(login: "ada"), as: User.self)
    _ = try await site["users"].get(as: [User].self, query: ["page": 2])
    _ = try await site["logo"].get(as: Data.self)
    try await site["logo"].put(.file(file)).requireSuccess()
    _ = try await site["logo"].download(to: .temporary)
    site.setRules {
        $0.preflights.append { draft in draft.headers["X-Run"] = "1" }
        $0.retry = RetryPolicy(limit: 2)
        $0.validators.append { response in if response.data.isEmpty { throw EmptyBody() } }
    }
    var coder = JSONCoder()
    coder.decoding.dates = .iso8601
    coder.encoding.dates = .iso8601
    site.setRules { $0.coders.registerJSON(coder) }
}
