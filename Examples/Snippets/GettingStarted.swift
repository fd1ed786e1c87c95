// SPDX-License-Identifier: Apache-2.0

import Cumulus

// snippet.model
struct Post: Codable, Sendable {
    var id: Int?
    var title: String
}
// snippet.end

func firstScreen(token: String) async throws {
    // snippet.screen
    let api = Resource("https://api.example.com") { $0.authorizers = [.bearer(token)] }
    let posts = api["posts"]  // inherits the token

    let post = try await posts[42].get(as: Post.self)  // retried if the server is busy
    for try await post in posts.pages(of: Post.self) { print(post.title) }  // requests further pages as needed

    let options = DownloadOptions(resume: true)  // continues where an earlier run stopped
    try await posts["42/film.mov"].download(to: .directory("films"), options: options)
    // snippet.end
    _ = post
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
