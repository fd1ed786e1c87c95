// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

/// The samples in docstrings of calls, transfers and pages.
enum DocstringsCalls {
    static func show(_ value: some Sendable) {}

    static func resource(transport: some Transport) async throws {
        // snippet.resource
        let site = Resource("https://api.example.com", transport: transport) {
            $0.timeout = .seconds(20)
        }
        let posts = site["posts"]
        let all = try await posts.get(as: [Post].self, query: ["limit": 10])
        // snippet.end
        show(all)
    }

    static func call(site: Resource) async throws {
        // snippet.call
        var call = site["posts"].call(.get, as: [Post].self, query: ["page": 1])
        let first = try await call.send()
        call.query["page"] = 2
        let running = call.start { result in show(result) }  // on the main actor
        // snippet.end
        show(first)
        running.cancel()
    }

    static func groups(site: Resource) async {
        // snippet.group
        let outcome = await RequestGroup().run {
            async let posts = site["posts"].get()
            async let users = site["users"].get()
            _ = try await (posts, users)
        }
        if outcome.isSuccessful { show(outcome.responses) }
        // snippet.end
    }

    static func values(site: Resource) async {
        // snippet.group-values
        let names = ["ada", "grace"]
        let users = await RequestGroup().values(of: names.map { site["users"][segment: $0].call(.get, as: User.self) })
        if users.isSuccessful { show(users.values) }
        // snippet.end
    }

    static func observers(site: Resource) {
        // snippet.observers
        site.setRules {
            $0.observers.append { event in
                if case .ended = event.kind, event.elapsed > .seconds(1) {
                    print("call \(event.id) took \(event.elapsed)")
                }
            }
            $0.observers.append(.progress { print($0.completed, $0.total ?? 0) })
        }
        // snippet.end
    }

    static func response() throws -> Response {
        // snippet.response
        let refused = try Response(.notFound, body: ["message": "no such post"])
        // snippet.end
        return refused
    }

    @MainActor final class Indicator {
        var isVisible = false
    }

    @MainActor static func activity(indicator: Indicator) async {
        // snippet.activity
        for await count in RequestActivity.counts { indicator.isVisible = count > 0 }
        // snippet.end
    }

    static func duplex(site: Resource, questions: AsyncStream<[UInt8]>) async throws {
        // snippet.duplex
        let response = try await site["chat"].call(.post, .stream(questions)).stream()
        for try await piece in response { show(piece) }  // while questions are still sent
        // snippet.end
    }

    static func payload(posts: Resource, title: String, author: String?) async throws {
        // snippet.payload
        try await posts.post(.json(["title": title, "author": author, "n": 1])).requireSuccess()
        // snippet.end
    }

    static func link(posts: Resource, response: Response) async throws -> Response {
        var response = response
        // snippet.link
        if let next = response.links["next"] { response = try await posts.follow(next).get() }
        // snippet.end
        return response
    }

    static func update(post: Resource) async throws {
        // snippet.update
        try await post.update(as: Post.self) { $0.title = "On anvils" }
        // snippet.end
    }

    static func pages(repo: Resource) async throws {
        // snippet.pages
        for try await issue in repo["issues"].pages(of: Issue.self) { print(issue.title) }
        for try await page in repo["issues"].pages(of: Issue.self).byPage { print(page.number, page.items.count) }
        // snippet.end
    }

    static func pagingRules(repo: Resource, slack: Resource) {
        // snippet.paging
        repo["issues"].setRules { $0.paging = .links }
        slack["conversations.list"].setRules {
            $0.paging = .cursor(at: "response_metadata.next_cursor", query: "cursor").items(at: "channels")
        }
        // snippet.end
    }

    static func multipart(site: Resource) async throws {
        // snippet.multipart
        let form: MultipartForm = ["title": "Clouds", "photo": .file("/tmp/cloud.png"), "tags": .json(["sky"])]
        try await site["photos"].post(.multipart(form)).requireSuccess()
        // snippet.end
    }
}
