// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCache
import CumulusURLSession
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func callsRequests(site: Resource, posts: Resource, url: String, file: URL, urlRequest: URLRequest) async throws {
    _ = try await REST[url].get()
    _ = try await posts.get(as: [Post].self)
    let response = try await posts.get()
    print(response.status.code)
    try response.requireSuccess()
    _ = try await posts.post(body: Post(title: "Clouds"), as: Post.self)
    site.setRules { $0.headers["X-Client"] = "Atlas" }
    _ = try await posts.get(query: ["page": 2])
    _ = site["posts"][segment: "42"]
    _ = try await posts.put(.file(file))
    _ = try await site["big.iso"].download(to: .file("/tmp/big.iso"))
    _ = try await site["big.iso"].download(to: .file("/tmp/big.iso"), options: DownloadOptions(resume: true))
    for try await line in try await posts.call(.get).stream().lines { print(line) }
    for try await event in site["feed"].events() { print(event.data) }
    for try await post in site["feed"].events(as: Post.self, types: ["update"]) { print(post.title) }
    func withoutWaiting() {
        posts.call(.get, as: [Post].self).start { result in print(result) }
    }
    withoutWaiting()
    let running = posts.call(.get).start()
    running.cancel()
    _ = try await site.call(urlRequest).send()
}

func callsConfiguration(site: Resource, password: Secret<String>) async throws {
    site.setRules {
        $0.timeout = .seconds(20)
        $0.deadline = .seconds(60)
        $0.headers["Accept-Language"] = "en"
        $0.retry = .solicited
        $0.cookies = CookieJar()
        $0.cache = .memory(megabytes: 50)
        $0.cachePolicy = .reload
    }
    site.setRules { $0.maxConcurrentRequests = 4 }
    let policy = try ProxyPolicy.url("http://proxy:3128")
    site.setRules { $0.proxy = policy }
    site.setRules {
        $0.redirects = .none
        $0.authorizers.append(.digest(user: "ada", password: password))
        $0.authorizers.append(.basic(user: "ada", password: password, whenAsked: true))
    }
    print(try await site.get().facts)
    await site.shutdown(.graceful)
    await site.shutdown(.immediate)
}
