// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Uses the main interface with `import Cumulus` alone; it is built, and run only by those who name a server.
@main
struct ClientCheck {
    struct Post: Codable, Sendable {
        var id: Int?
        var title: String
    }

    struct Stamp: Sendable {
        func intercept(
            _ request: EncodedRequest,
            next: InterceptorChain
        ) async throws -> TransportResponse {
            var stamped = request
            stamped.headers[.userAgent] = "ClientCheck"
            return try await next(stamped)
        }
    }

    static func main() async throws {
        guard CommandLine.arguments.count > 1 else { return print("usage: ClientCheck URL") }
        let site = Resource(CommandLine.arguments[1])
        configure(site)
        do {
            try await talk(to: site["posts"])
        } catch let error as CumulusError {
            print(error.stage, error.code, error.statusCode ?? 0)
        }
    }

    static func configure(_ site: Resource) {
        site.setRules {
            $0.timeout = .seconds(20)
            $0.deadline = .seconds(60)
            $0.headers[.accept] = "application/json"
            $0.query["lang"] = "en"
            $0.credentials = Credentials(user: "ada", password: "lovelace")
            $0.authorizers.append(.bearer("token"))
            $0.preflights.append { draft in draft.headers["X-Checked"] = "yes" }
            $0.interceptors.append(Stamp().intercept)
            $0.validators.append { response in print(response.status.code) }
            $0.postProcessors.append { value, _ in value }
            $0.contentType = .json
            $0.redirects = RedirectPolicy(limit: 3)
        }
    }

    static func talk(to posts: Resource) async throws {
        let all = try await posts.get(as: [Post].self, query: ["tags": ["a", "b"], "limit": 10])
        let made = try await posts.post(body: Post(title: "Clouds \(all.count)"), as: Post.self)
        let response: Response = try await posts[made.id ?? 0].get()
        print(response.status == HTTPResponse.Status.ok, response.headers[.contentType] ?? "", response.text ?? "")
        print(try response.json()["title"].string ?? "")
        for try await chunk in try await posts.call(.get).stream() { print(chunk.count) }
        let patched = try await posts.call(HTTPRequest.Method.patch, .form(["title": "x"])).send()
        print(try patched.requireSuccess().elapsed)
        try await posts[made.id ?? 0].with { $0.timeout = nil }.delete().requireSuccess()
        let page = try await REST["http://127.0.0.1/"].get()
        print(page.data.count, posts.explain(\.timeout))
    }
}
