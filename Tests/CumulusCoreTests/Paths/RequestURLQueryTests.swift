// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// URLs and queries assembled manually.
@Suite struct RequestURLQueryTests {
    @Test("escaping and unescaping")
    func escaping() {
        #expect(PercentEncoding.encode("a b/ü&=+") == "a%20b%2F%C3%BC%26%3D%2B")
        #expect(PercentEncoding.decode("a%20b%2F%C3%BC+%zz") == "a b/ü+%zz")
    }

    @Test("a query merged over a URL's")
    func mergingQueries() throws {
        let url = try RequestURL("http://a.example/list?a=1&b=2")
        #expect(url.merging(["b": 3, "c": [1, 2]]).description == "http://a.example/list?a=1&b=3&c%5B%5D=1&c%5B%5D=2")
        #expect(url.merging(["a": nil, "b": nil]).description == "http://a.example/list")
        #expect(url.merging([:]).description == url.description)
        #expect(url.queryItems.names == ["a", "b"])
        #expect(Query(parsing: "a=1&b=2").merging(["b": "x"]).encoded() == "a=1&b=x")
        #expect((["A": "1"] as Headers).merging(["a": "2", "B": "3"])["A"] == "2")
    }

    @Test(
        "paths are joined with one slash",
        arguments: [
            ("http://a.example", "b", "http://a.example/b"), ("http://a.example/", "/b", "http://a.example/b"),
            ("http://a.example/a?q=1", "b c", "http://a.example/a/b%20c?q=1"),
            ("http://a.example/a/", "b/", "http://a.example/a/b"),
            ("http://a.example/a", "", "http://a.example/a"),
        ]
    )
    func joining(base: String, path: String, expected: String) throws {
        #expect(try RequestURL(base).appending(path: path).description == expected)
    }

    @Test("paths that would lead elsewhere are refused", arguments: ["../b", "http://b.example", "a#b"])
    func refused(path: String) throws {
        let url = try RequestURL("http://a.example/a")
        #expect(throws: PathRefusal.self) { try url.appending(path: path) }
    }
}
