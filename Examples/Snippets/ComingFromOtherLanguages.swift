// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation
import Logging

func callsHttpx(site: Resource, posts: Resource, url: String, picture: Data, password: Secret<String>) async throws {
    _ = try await REST.get(url, query: ["page": 2])
    let client = Resource("https://api.example.com")
    client.headers["X-Client"] = "Atlas"
    client.query["token"] = "abc"
    _ = try await client["users/\("ada")"].get()
    _ = try await posts.post(["title": "Clouds"])
    _ = try await posts.post(.form(["title": "Clouds"]))
    _ = try await posts.post(.multipart(["f": .bytes(picture, fileName: "cat.png")]))
    let r = try await posts.get()
    try r.requireSuccess()
    _ = r.headers["ETag"]
    _ = r.links["next"]
    _ = r.history
    _ = r.elapsed
    client.timeout = .seconds(10)
    client.connectTimeout = .seconds(5)
    client.poolTimeout = .seconds(30)
    client.maxConcurrentRequests = 10
    client.retry = RetryPolicy(limit: 2)
    client.redirects = RedirectPolicy(limit: 20)
    client.credentials = Credentials(user: "ada", password: password)
    client.authorizers.append(.digest(user: "ada", password: password))
    client.authorizers.append(.netrc(try NetrcFile(path: "/home/ada/.netrc")))
    for try await line in try await posts.bytes().lines { print(line) }
    client.cookies = CookieJar()
    client.proxy = try .url("http://proxy:3128")
    client.proxy = .environment
    let all = await RequestGroup().values(of: (1...3).map { posts[$0].prepare(.get, as: Post.self) })
    print(all.values.count)
}

func callsKtor(posts: Resource, picture: Data, logger: Logger) async throws {
    let client = Resource("https://api.example.com")
    client.headers["X-Client"] = "Atlas"
    _ = try await client["posts"].get(as: [Post].self)
    _ = try await client["posts"].post(Post(title: "Clouds"), as: Post.self)
    _ = try await posts.get(query: ["page": 2])
    _ = client[segment: "AC/DC"]
    _ = try await posts.post(.form(["title": "Clouds"]))
    _ = try await posts.post(.multipart(["f": .bytes(picture, fileName: "cat.png")]))
    client.deadline = .seconds(60)
    client.connectTimeout = .seconds(10)
    client.timeout = .seconds(20)
    client.retry = RetryPolicy(limit: 5)
    client.credentials = Credentials(user: "ada", password: "...")
    client.logger = logger
    client.cookies = CookieJar()
    _ = try await posts.upload(.bytes(picture)) { event in print(event.completed) }
    for try await chunk in try await posts.bytes() { print(chunk.count) }
    await client.shutdown(.graceful)
}
