// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@Suite struct PathPatternTests {
    private func match(_ pattern: String, _ path: String) -> [String: String]? {
        PathPattern(pattern.split(separator: "/").map { $0 })
            .match(path.split(separator: "/").map(String.init))
    }

    @Test func routesAndTemplatesHaveOneGrammar() {
        #expect(match("posts/:id", "posts/7") == ["id": "7"])
        #expect(match("posts/{id}", "posts/7") == ["id": "7"])
        #expect(match("posts/{id}.json", "posts/7.json") == ["id": "7"])
        #expect(match("posts/{id}.json", "posts/.json") == nil)
        #expect(match("posts/{id}.json", "posts/7.xml") == nil)
        #expect(match("{a}-{b}", "x-y-z") == ["a": "x", "b": "y-z"])
        #expect(match("v{a}.{b}", "v1.2") == ["a": "1", "b": "2"])
        #expect(match("files/*", "files/a/b") == ["*": "a/b"])
        #expect(match("files/{+path}", "files/a/b") == ["path": "a/b"])
        #expect(match("posts/:id", "posts/7/x") == nil)
        #expect(match("posts/:id", "posts") == nil)
    }

    @Test func aTemplateIsAPatternOfItsPath() throws {
        let pattern = { (text: String) in PathPattern(of: URITemplate(lenient: text)).map { "\($0)" } }
        #expect(pattern("users/{login}/repos{?page}") == "users/:login/repos")
        #expect(pattern("search?q=x{&page}") == "search")
        #expect(pattern("files{/path*}") == "files/*")
        #expect(pattern("files/{+path}") == "files/*")
        #expect(pattern("show/{id}.json") == "show/{id}.json")
        #expect(pattern("users{/login}/repos") == "users/:login/repos")
        #expect(pattern("{+path}/x") == nil)
        #expect(pattern("x{.a,b}") == nil)
        #expect(pattern("x{") == nil)
    }

    @Test func aPathIsMatchedAsItIsSent() {
        #expect(PathPattern("/posts/:id").match("/posts/a%20b") == ["id": "a b"])
        #expect(PathPattern("posts/{id}.json").match("/posts/7.json") == ["id": "7"])
        #expect(PathPattern("/files/*").match("/files/a/b") == ["*": "a/b"])
        #expect(PathPattern("/posts").match("/posts/") == nil && PathPattern("/posts/").match("/posts") == nil)
        #expect(PathPattern("/files/*/meta").match("/files/a/secret") == nil, "the rest is not at the end")
    }
}
