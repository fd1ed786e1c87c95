// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusOAuth
import Foundation

struct EmptyBody: Error {}

func callsRequests(site: Resource, posts: Resource, url: String, file: URL, picture: Data) async throws {
    _ = try await REST[url].get(as: [Post].self)
    func withoutWaiting() {
        REST[url].call(.get, as: [Post].self).start { result in print(result) }
    }
    withoutWaiting()
    _ = try await posts.post(body: Post(title: "Clouds"), as: Post.self)
    _ = try await posts.post(.form(["title": "Clouds"]))
    _ = try await posts.get(query: ["page": 2])
    _ = try await posts.get(headers: [.accept: "text/plain"])
    try await posts.get().requireSuccess()
    _ = try await posts.get(as: String.self)
    _ = try await posts.get(as: Data.self)
    _ = try await posts.post(.multipart(["title": "Cat", "file": .bytes(picture, fileName: "cat.png")]))
    let upload = posts.call(.post, .file(file)).start()
    for await event in upload.progress where event.direction == .sending { print(event.completed) }
    _ = try await upload.value
    _ = try await site["big.iso"].download(to: .file("/tmp/big.iso"))
    _ = try await site["big.iso"].download(to: .file("/tmp/big.iso"), options: DownloadOptions(resume: true))
    for try await chunk in try await posts.call(.get).stream() { print(chunk.count) }
    for try await event in site["feed"].events(headers: ["Last-Event-ID": "7"]) { print(event.data) }
    posts.call(.get).start().cancel()
    print(try await posts.call(.get).curl())
    _ = try await posts.get(as: Post?.self)
    _ = try await posts.with { $0.timeout = .seconds(5) }.get()
    print(try await posts.get().facts)
    let queue = DispatchQueue(label: "posts")
    func onAQueue() {
        posts.call(.get).start(on: queue) { result in print(result) }
    }
    onAQueue()
}

func callsSessions(site: Resource, password: Secret<String>) async throws {
    let session = Resource("https://api.example.com")
    session.setRules {
        $0.preflights.append { draft in draft.headers["X-Run"] = "1" }
        $0.headers["X-Client"] = "Atlas"
        $0.retry = RetryPolicy(limit: 2)
        $0.retry?.decide = { $0.status == .conflict && $0.retries < 2 ? .again(after: .seconds(1)) : .proposed }
        $0.observers.append { event in print(event) }
        $0.authorizers.append(
            .bearer(refreshing: { _ in try await BearerToken(session["token"].get(as: String.self)) })
        )
        $0.authorizers.append(.basic(user: "ada", password: password, whenAsked: true))
        $0.authorizers.append(.digest(user: "ada", password: password))
        $0.credentials = Credentials(user: "ada", password: password)
        $0.redirects = .none
        $0.queryStyle = QueryStyle(arrays: .indexed, booleans: .numeric)
        $0.cachePolicy = .noStore
        $0.acceptableStatuses = .range(200..<500)
        $0.validators.append { response in if response.data.isEmpty { throw EmptyBody() } }
    }
    var coder = JSONCoder()
    coder.decoding.dates = .iso8601
    session.setRules { $0.coders.registerJSON(coder) }
    session.cancelAll()
}
