// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCache
import Foundation
import Logging

func callsHttpx(site: Resource, posts: Resource, url: String, picture: Data, password: Secret<String>) async throws {
    _ = try await REST[url].get(query: ["page": 2])
    let client = Resource("https://api.example.com")
    client.setRules { $0.headers["X-Client"] = "Atlas" }
    client.setRules { $0.query["lang"] = "en" }
    print(client.headers, client.query)
    _ = try await client["users/\("ada")"].get()
    _ = try await posts.post(["title": "Clouds"])
    _ = try await posts.post(.form(["title": "Clouds"]))
    _ = try await posts.post(.multipart(["f": .bytes(picture, fileName: "cat.png")]))
    let r = try await posts.get()
    _ = r.status.code
    _ = r.text
    _ = try r.json()
    _ = r.data
    try r.requireSuccess()
    _ = r.headers["ETag"]
    _ = r.links["next"]
    _ = r.history
    _ = r.elapsed
    client.setRules {
        $0.timeout = .seconds(10)
        $0.connectTimeout = .seconds(5)
        $0.poolTimeout = .seconds(30)
        $0.retry = RetryPolicy(limit: 2)
        $0.redirects = RedirectPolicy(limit: 20)
        $0.credentials = Credentials(user: "ada", password: password)
        $0.authorizers.append(.digest(user: "ada", password: password))
    }
    client.setRules { $0.maxConcurrentRequests = 10 }
    let netrc = try NetrcFile(path: "/home/ada/.netrc")
    client.setRules { $0.authorizers.append(.netrc(netrc)) }
    for try await line in try await posts.call(.get).stream().lines { print(line) }
    for try await event in posts.events() { print(event.type, event.data) }
    for try await post in posts.call(.post, body: Post(title: "Clouds")).events(as: Post.self, until: "[DONE]") {
        print(post.title)
    }
    client.setRules { $0.cookies = CookieJar() }
    let policy = try ProxyPolicy.url("http://proxy:3128")
    client.setRules { $0.proxy = policy }
    client.setRules { $0.proxy = .environment }
    let all = await RequestGroup().values(of: (1...3).map { posts[$0].call(.get, as: Post.self) })
    print(all.values.count)
}

func callsKtor(posts: Resource, picture: Data, logger: Logger) async throws {
    let client = Resource("https://api.example.com") { $0.headers["X-Client"] = "Atlas" }
    _ = try await client["posts"].get(as: [Post].self)
    _ = try await client["posts"].post(body: Post(title: "Clouds"), as: Post.self)
    _ = try await posts.get(query: ["page": 2])
    _ = client[segment: "AC/DC"]
    _ = try await posts.post(.form(["title": "Clouds"]))
    _ = try await posts.post(.multipart(["f": .bytes(picture, fileName: "cat.png")]))
    client.setRules {
        $0.deadline = .seconds(60)
        $0.connectTimeout = .seconds(10)
        $0.timeout = .seconds(20)
        $0.retry = RetryPolicy(limit: 5)
        $0.authorizers.append(.basic(user: "ada", password: "...", whenAsked: true))
        $0.logger = logger
        $0.cookies = CookieJar()
        $0.cache = .memory(megabytes: 50)
    }
    for await event in posts.call(.post, .bytes(picture)).start().progress where event.direction == .sending {
        print(event.completed)
    }
    for try await chunk in try await posts.call(.get).stream() { print(chunk.count) }
    await client.shutdown(.graceful)
}
