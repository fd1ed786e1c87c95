// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusOAuth
import CumulusServices

/// The samples in docstrings of services and catalogs.
enum DocstringsServices {
    struct Repository: Decodable, Sendable { var name: String }
    struct Status: Decodable, Sendable { var text: String }

    // snippet.input
    struct ProjectSearch: EndpointInput {
        var login: String
        var page: Int? = nil
    }
    // snippet.end

    // snippet.endpoints
    struct GitHub: ServiceEndpoints {
        let service = ServiceDescription("GitHub", at: "https://api.github.com")
        let user = Endpoint<String, User>(.get, "users/{login}")
        let repositories = Endpoint<String, Int?, [Repository]>(.get, "users/{login}/repos{?page}")
    }
    // snippet.end

    static func typed(transport: some Transport) async throws {
        // snippet.client
        let github = ServiceClient(GitHub(), transport: transport)
        let user = try await github.user("weipin").send()
        // snippet.end
        print(user.login)
    }

    static func described(transport: some Transport) async throws {
        // snippet.service
        let github = Service(try ServiceDescription(contentsOfFile: "GitHub.plist"), transport: transport)
        let user = try await github.call("user", ["login": "weipin"], as: User.self).send()
        // snippet.end
        print(user.login)
    }

    static func description() -> ServiceDescription {
        // snippet.description
        var github = ServiceDescription("GitHub", at: "https://api.github.com")
        github.headers = ["Accept": "application/vnd.github+json"]
        github["user"] = EndpointDescription("user", template: "users/{login}")
        // snippet.end
        return github
    }

    static func openAPI(bytes: [UInt8], transport: some Transport) throws -> Service {
        // snippet.open-api
        let document = try OpenAPIDocument(json: bytes, from: "https://api.example.com/openapi.json")
        let service = Service(document.service, transport: transport)  // its endpoints by their operationId
        for gap in document.gaps { print(gap) }  // the parts that are omitted, by JSON pointer
        // snippet.end
        return service
    }

    static func hooks(github: inout Service) {
        // snippet.hooks
        github.hooks.append { request in
            guard request.endpoint.name == "search" else { return }
            request.resource = request.resource.with { $0.timeout = .seconds(60) }
        }
        // snippet.end
    }

    static func pages(twitter: Service) async throws {
        // snippet.pages
        for try await status in try twitter.pages("GetMentions", ["count": 50], of: Status.self) { print(status.text) }
        // snippet.end

        // snippet.next-page
        let mentions = twitter.call("mentions", ["count": 20])
        let first = try await mentions.send()
        if let second = try mentions.nextPage(after: first) { print(try await second.send()) }
        // snippet.end
    }

    static func catalog() async throws {
        // snippet.catalog
        let mastodon = Mastodon(at: "https://mastodon.example")
        let statuses = try await mastodon.publicTimeline()
        let same = try await mastodon.service.call("GetPublicTimeline", as: [Mastodon.Status].self).send()
        // snippet.end
        print(statuses.count, same.count)
    }

    static func mastodon(token: Secret<String>) async throws {
        // snippet.mastodon
        var mastodon = Mastodon(at: "https://mastodon.example")
        mastodon.service.authorize(token: token)
        for status in try await mastodon.homeTimeline(limit: 40) { print(status.content) }
        // snippet.end

        // snippet.catalog-pages
        for try await status in try mastodon.pages("GetHomeTimeline", of: Mastodon.Status.self) {
            print(status.content)
        }
        // snippet.end
    }

    static func signIn(
        mastodon: inout Mastodon,
        app: Mastodon.Application,
        receiver: some RedirectReceiver,
        open: @escaping @Sendable (String) -> Void
    ) {
        // snippet.sign-in
        mastodon.signIn(
            app,
            grant: .authorizationCode(client: app.client, receiver: receiver) { open($0) },
            scope: "read"
        )
        // snippet.end
    }

    static func github(token: Secret<String>) async throws {
        typealias GitHub = CumulusCatalogs.GitHub
        // snippet.github
        var github = GitHub()
        github.authorize(token: token)
        let issue = try await github.createIssue("Clouds are late", in: "ada", "weather", labels: ["bug"])
        // snippet.end
        print(issue.number)
    }
}
