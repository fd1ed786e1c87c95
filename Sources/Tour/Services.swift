// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices
import CumulusTesting

/// A whole interface as one value.
struct Services {
    let url: String

    private struct Blog: ServiceEndpoints {
        var service: ServiceDescription { ServiceDescription("Blog") }
        let posts = Endpoint<[Post]>(.get, "posts")
        let post = Endpoint<Int, Post>(.get, "posts/{id}")
    }

    func visit(_ guide: inout TourGuide) async throws {
        guide.chapter("A service by name")
        try await guide.step(
            "Endpoints are properties with types",
            "struct Blog: ServiceEndpoints { let post = Endpoint<Int, Post>(.get, \"posts/{id}\") }\n"
                + "try await blog.post(2).send().title"
        ) {
            let blog = ServiceClient(Blog(), on: Resource(url))
            let (post, count) = (try await blog.post(2).send(), try await blog.posts().send().count)
            try check(post.id == 2 && count == 3, "\(post) \(count)")
            return post.title
        }
        try await guide.step(
            "Endpoints can also come from the service's OpenAPI document",
            "let blog = Service(try OpenAPIDocument(json, from: \"\(url)/openapi.json\").service, on: Resource(\"\(url)\"))\n"
                + "try await blog.call(\"get_post\", [\"id\": 2], as: Post.self).send().title"
        ) {
            let json = try await Resource(url)["openapi.json"].get(as: JSON.self)
            let blog = Service(try OpenAPIDocument(json, from: "\(url)/openapi.json").service, on: Resource(url))
            let post = try await blog.call("get_post", ["id": 2], as: Post.self).send()
            try check(post.id == 2, "\(post)")
            return post.title
        }
    }
}

/// The same code without a network.
struct Doubles {
    func visit(_ guide: inout TourGuide) async throws {
        guide.chapter("Tests without a network")
        try await guide.step(
            "A stub responds in place of the network, and records the requests",
            "let stub = StubTransport { $0.on(.get, \"/posts/:id\", .json([\"title\": \"Not from a server\"])) }\n"
                + "try await Resource(\"https://blog.example\", transport: stub)[\"posts/7\"].get(as: Post.self).send().title"
        ) {
            let stub = StubTransport { $0.on(.get, "/posts/:id", .json(["title": "Not from a server"])) }
            let post = try await Resource("https://blog.example", transport: stub)["posts/7"].get(as: Post.self)
            let asked = stub.requests.map(\.path)
            try check(post.title == "Not from a server" && asked == ["/posts/7"], "\(post) \(asked)")
            return "\(post.title), requested \(asked[0])"
        }
        try await guide.step(
            "Tests of delays don't wait, since the test controls the clock",
            "site.clock = clock; clock.advance(by: .seconds(60))"
        ) {
            let stub = StubTransport {
                $0.on(.get, "/posts", .status(.serviceUnavailable, headers: [.retryAfter: "60"]), .json(["Clouds"]))
            }
            let site = Resource("https://blog.example", transport: stub)
            let clock = ManualClock()
            site.setRules { $0.clock = clock }
            let call = Task { try await site["posts"].get() }
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
            let response = try await call.value
            try check(response.isSuccessful && response.attempts.count == 2, "\(response)")
            return response.attempts.map(\.description).joined(separator: "\n")
        }
    }
}
