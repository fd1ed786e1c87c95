// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Places by a path with `..`.
@Suite struct RelativePathTests {
    private let site = Offline("https://api.example.com/v1").site

    @Test(
        "a path with .. leads to the right place",
        arguments: [
            ("../8", "/v1/posts/8"), ("..", "/v1/posts"), ("../..", "/v1"), ("../../users/ada", "/v1/users/ada"),
            ("comments/../likes", "/v1/posts/7/likes"), (".", "/v1/posts/7"), ("./a/./b", "/v1/posts/7/a/b"),
            ("/../8/", "/v1/posts/8"), ("a b/c?d", "/v1/posts/7/a%20b/c%3Fd"),
        ]
    )
    func climbs(path: String, expected: String) {
        #expect(site["posts/7"].relative(to: path).urlString == "https://api.example.com" + expected)
        #expect(site["posts"]["7"].relative(to: path).urlString == "https://api.example.com" + expected)
    }

    @Test("the settings are those of the place that the path climbs to")
    func settings() {
        let posts = site["posts"]
        posts.setRules { $0.timeout = .seconds(5) }
        let post = posts["7"]
        post.setRules { $0.timeout = .seconds(6) }
        #expect(post.relative(to: "comments").timeout == .seconds(6))
        #expect(post.relative(to: "../8").timeout == .seconds(5))
        #expect(post.relative(to: "..").timeout == .seconds(5))
        #expect(post.relative(to: "../../users").timeout == .seconds(60))
    }

    @Test("above the root is refused", arguments: ["../..", "a/../../..", "../../v1"])
    func aboveTheRoot(path: String) async throws {
        let error = try await failure { try await site["posts"].relative(to: path).get() }
        #expect(error.code == .invalidPath)
        #expect(error.message.contains("above the root"))
    }

    @Test("a path refused elsewhere is also refused here", arguments: ["https://evil.example", "a#b", "a\\b"])
    func refused(path: String) {
        #expect(site["posts"].relative(to: path).urlString == nil)
    }
}
