// SPDX-License-Identifier: Apache-2.0

import Cumulus

// snippet.model
struct Post: Codable, Sendable {
    var id: Int?
    var title: String
}
// snippet.end

func readme(password: Secret<String>) async throws {
    let site = Resource("https://api.example.com") {  // a place, and its rules
        $0.timeout = .seconds(20)
        $0.headers[.userAgent] = "Atlas/2.1"
        $0.query["token"] = "abc"
        $0.credentials = Credentials(user: "ada", password: password)
    }

    let posts = site["posts"]  // children have them
    posts.setRules { $0.timeout = .seconds(60) }  // for everyone at or below this place
    let patient = posts.with { $0.timeout = nil }  // a copy with its own setting

    // If you ask for a type, a bad status throws.
    let page = try await posts.get(as: [Post].self, query: ["offset": 10, "limit": 10])
    let created = try await posts.post(body: Post(title: "Clouds"), as: Post.self)
    print(page.count, created.id ?? 0)

    // If you ask for the response, you judge the status.
    let response = try await posts[42].get()
    if response.status == .notFound { print("no such post") }

    // A call is a value: kept, changed, sent again, or started with a closure.
    var next = posts.call(.get, as: [Post].self, query: ["page": 1])
    next.query["page"] = 2
    let running = next.start { result in print(result) }  // on the main actor
    running.cancel()

    // A value can't leave its place in the path.
    let name = "../admin"
    print(site["users/\(name)/repos"].urlString ?? "")
    // https://api.example.com/users/..%2Fadmin/repos?token=abc

    try await patient[42].delete(as: Void.self)
}

func firstRequest() async throws {
    // snippet.first
    let site = Resource("https://api.example.com")
    let posts = site["posts"]

    let all = try await posts.get(as: [Post].self)
    let one = try await posts[42].get(as: Post.self)
    print("\(one.title) is one of \(all.count)")
    // snippet.end
}

func firstChanges(posts: Resource) async throws {
    // snippet.change
    let draft = Post(title: "On anvils")
    let created = try await posts.post(body: draft, as: Post.self)

    var edited = created
    edited.title = "On anvil clouds"
    _ = try await posts[created.id ?? 0].put(body: edited, as: Post.self)

    try await posts[created.id ?? 0].delete(as: Void.self)
    // snippet.end
}

func firstErrors(posts: Resource) async throws {
    // snippet.errors
    do {
        let post = try await posts[99].get(as: Post.self)
        print(post.title)
    } catch let error as CumulusError where error.statusCode == 404 {
        print("this post does not exist: \(error)")
    }
    // snippet.end
}

// snippet.isolation
// If types belong to the main actor by default, as in new Xcode projects, mark a model as nonisolated.
nonisolated struct Comment: Codable, Sendable {
    var text: String
}

@MainActor func show(_ site: Resource, in list: (Comment) -> Void) async throws {
    // Decoded off the main actor, shown on it.
    for comment in try await site["comments"].get(as: [Comment].self) { list(comment) }
}
// snippet.end
