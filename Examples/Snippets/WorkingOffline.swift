// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

func own() async throws {
    // snippet.own
    let site = Resource("https://api.example.com")
    let post = site["posts/1"]
    post.setRules {
        $0.fixtures[.get] = .json(Post(id: 1, title: "Clouds"))
        $0.fixtures[.delete] = .status(.noContent)
    }

    let response = try await post.get(as: Post.self)  // nothing is sent
    // snippet.end
    _ = response

    // snippet.arriving
    let video = site["video"]
    video.setRules { $0.fixtures[.get] = .bytes([UInt8](repeating: 0, count: 1 << 20)).arriving(over: .seconds(5)) }
    // snippet.end
}

func tree(_ site: Resource) throws {
    // snippet.tree
    site.setRules {
        $0.fixtures = [
            "GET /posts": .file("Fixtures/posts.json"),
            "GET /posts/:id": .json(Post(id: 1, title: "Clouds"), delay: .milliseconds(300)),
            "POST /posts": .status(.created, headers: [.location: "/posts/4"]),
            "GET /busy": .sequence([.status(.serviceUnavailable), .text("here you are")]),
            "GET /broken": .failure(TransportFailure(.connect, "the cable is cut")),
        ]
        $0.fixtureUse = .only  // a request without a fixture fails, and lists the existing ones
    }
    // snippet.end
}

func files(_ site: Resource) throws {
    // snippet.files
    var fixtures = try FixtureSet(contentsOfFile: "Fixtures/api.json")  // or a property list
    fixtures.add(try FixtureSet(contentsOfFolder: "Fixtures/api"))  // posts/GET.json responds to GET /posts
    site.setRules { $0.fixtures = fixtures }
    // snippet.end
}
