// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Which fixture answers which request: layers, patterns, origins, and fixtures only.
@Suite struct FixtureInheritanceTests {
    private let offline = Offline("https://api.example.com/v1")
    private var site: Resource { offline.site }

    private func text(_ resource: Resource) async throws -> String? { try await resource.get().text }

    @Test func pathsBeginAtTheResourceThatTheSetIsSetOn() async throws {
        site.setRules { $0.fixtures["GET /posts"] = .text("posts") }
        let users = site["users"]
        users.setRules { $0.fixtures = ["GET /ada": .text("ada"), "GET /": .text("users")] }
        let found = [
            try await text(site["posts"]), try await text(users["ada"]), try await text(users),
            try await text(site["ada"]),
        ]
        #expect(found == ["posts", "ada", "users", "from the network"])
    }

    @Test(
        arguments: [
            ("posts/7", "one"), ("posts/new", "new"), ("posts/7/likes", "rest"), ("posts/7/likes/3", "rest"),
            ("posts", "from the network"),
        ]
    ) func patternsStandBehindExactPaths(path: String, answer: String) async throws {
        site.setRules {
            $0.fixtures = [
                "GET /posts/:id": .text("one"), "GET /posts/:id/*": .text("rest"), "GET /posts/new": .text("new"),
            ]
        }
        let found = try await text(site[path: path])
        #expect(found == answer)
    }

    @Test func escapedSegmentsAreComparedByWhatTheyMean() async throws {
        site.setRules {
            $0.fixtures["GET /tags/caf\u{E9}"] = .text("tag")
            $0.fixtures["GET /tags/a%2Fb"] = .text("one segment")
        }
        let (tag, slash) = (
            try await text(site["tags"][segment: "caf\u{E9}"]), try await text(site["tags"][segment: "a/b"])
        )
        #expect(tag == "tag")
        #expect(slash == "one segment")
    }

    @Test func theMethodMayBeAny() async throws {
        site.setRules { $0.fixtures["* /echo"] = .text("any") }
        let text = try await site["echo"].patch().text
        #expect(text == "any")
    }

    @Test func writingOneSignatureLeavesTheOthersInherited() async throws {
        site.setRules { $0.fixtures = ["GET /a": .text("1"), "GET /b": .text("1")] }
        let child = site["a"]
        child.setRules { $0.fixtures[.get] = .text("2") }
        site.setRules { $0.fixtures["GET /b"] = .text("3") }
        let below = try await child.follow("b").get().text
        #expect(try await text(child) == "2")
        #expect(below == "3")
    }

    @Test func nilMasksAndInheritForgets() async throws {
        site.setRules { $0.fixtures["GET /a"] = .text("fixture") }
        let child = site["a"]
        child.setRules { $0.fixtures[.get] = nil }
        #expect(child.fixtures.signatures.isEmpty)
        #expect(try await text(child) == "from the network")
        child.setRules { $0.fixtures.inherit("GET /") }
        #expect(try await text(child) == "fixture")
        child.setRules { $0.fixtures[.get] = .text("own") }
        child.setRules { $0.inherit(\.fixtures) }
        #expect(try await text(child) == "fixture")
    }

    @Test func theySurviveWithAndConfigure() async throws {
        site.setRules { $0.fixtures["GET /a"] = .text("1") }
        let one = site["a"].with { $0.fixtures[.get] = .text("2") }
        #expect(try await text(one) == "2")
        #expect(try await text(site["a"]) == "1")
    }

    @Test func anotherOriginsRequestsAreSent() async throws {
        site.setRules { $0.fixtures["GET /a"] = .text("fixture") }
        #expect(try await text(site.follow("https://other.example/v1/a")) == "from the network")
        site.setRules { $0.fixtures["GET https://other.example/v1/a"] = .text("theirs") }
        #expect(try await text(site.follow("https://other.example/v1/a")) == "theirs")
    }

    @Test func onlyRefusesWhatHasNoneAndTellsWhatThereIs() async throws {
        site.setRules {
            $0.fixtures = ["GET /posts/:id": .text("post"), "PUT /me": .status(.ok)]
            $0.fixtureUse = .only
        }
        let error = try await failure { try await site["users"].get(query: ["token": "secret"]) }
        #expect(error.code == .fixture)
        #expect(
            error.message
                == "there is no fixture for GET https://api.example.com/v1/users; the fixtures are: "
                + "GET https://api.example.com/v1/posts/:id, PUT https://api.example.com/v1/me"
        )
        #expect(offline.sentCount == 0)
        #expect(!"\(error)".contains("secret"))
    }

    @Test func onlyWithoutAnySaysSo() async throws {
        site.setRules { $0.fixtureUse = .only }
        let error = try await failure { try await site.get() }
        #expect(error.message.hasSuffix("the fixtures are: none"))
    }

    @Test(
        arguments: [
            "", "GET", "/posts", "G@T /posts", "GET posts", "GET /posts?x=1", "GET /a/*/b", "GET /a/*.json", "GET /**",
            "GET ftp://x/", "GET / x",
        ]
    ) func aSignatureThatCantBeReadFailsTheRequest(text: String) async throws {
        site.setRules { $0.fixtures[FixtureSignature(stringLiteral: text)] = .text("never") }
        let error = try await failure { try await site.get() }
        #expect(error.code == .fixture)
        #expect(error.message.contains("signature"))
        #expect(throws: FixtureProblem.self) { try FixtureSignature(parsing: text) }
    }

    @Test func setsAreMerged() {
        var set: FixtureSet = ["GET /a": .text("1"), "GET /b": .text("1")]
        set.add(["GET /b": .text("2"), "GET /c": .text("2")])
        #expect(set.signatures.map(\.description) == ["GET /a", "GET /b", "GET /c"])
        #expect("\(set["GET /b"]?.description ?? "")" == "200 with 1 bytes")
    }

    @Test func explainTellsThem() {
        site.setRules { $0.fixtures["GET /a"] = .text("hello") }
        #expect(site["a"].explain(\.fixtures).value == "GET https://api.example.com/v1/a: 200 with 5 bytes")
    }
}
