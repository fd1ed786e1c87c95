// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Queries: order, merging, escaping, and values of every kind.
@Suite struct QueryTests {
    private struct Point: QueryEncodable {
        let x: Int
        let y: Int
        var queryValue: QueryValue { .text("\(x),\(y)") }
    }

    private enum Sort: String, QueryEncodable { case newest }

    // MARK: The originals' exact strings

    @Test func aQueryAlone() async throws {
        let echo = Echo()
        try await echo.site["a"].get(query: ["foo": "bar"]).requireSuccess()
        #expect(echo.transport.lastRequest?.query == "foo=bar")
    }

    @Test func aQueryOverTheBasesQuery() async throws {
        let echo = Echo()
        echo.site.setRules { $0.query = ["foo": "bar"] }
        try await echo.site["a"].get(query: ["ping": "pong"]).requireSuccess()
        #expect(echo.transport.lastRequest?.query == "foo=bar&ping=pong")
    }

    @Test func aQueryOverTheURLsQuery() async throws {
        let echo = Echo("http://a.example/x?key=value")
        try await echo.site.get(query: ["foo": "bar"]).requireSuccess()
        #expect(echo.transport.lastRequest?.query == "key=value&foo=bar")
    }

    @Test func severalValuesAndEscapes() {
        let query: Query = ["k1": "v1", "k2": "&;", "k2": "hello", "k3": "world"]
        #expect(query.encoded() == "k1=v1&k2=%26%3B&k2=hello&k3=world")
    }

    @Test func theSeedsTokenExample() async throws {
        let echo = Echo()
        echo.site.setRules { $0.query = ["TOKEN": "abc123"] }
        try await echo.site["posts"].get(query: ["offset": 10, "limit": 10]).requireSuccess()
        #expect(echo.transport.lastRequest?.query == "TOKEN=abc123&offset=10&limit=10")
    }

    @Test func theURLsQueryIsSentVerbatim() async throws {
        let echo = Echo("http://a.example/?foo==bar&x&y=%7E")
        #expect(try await echo.target(echo.site) == "/?foo==bar&x&y=%7E")
    }

    // MARK: Values

    @Test func arraysHaveBrackets() {
        let query: Query = ["foo": ["1", "2"]]
        #expect(query.encoded() == "foo%5B%5D=1&foo%5B%5D=2")
        #expect(query.plainText == "foo[]=1&foo[]=2")
    }

    @Test func arraysCanBeWrittenOtherwise() {
        let query: Query = ["k": [1, 2]]
        #expect(query.encoded(QueryStyle(arrays: .repeated)) == "k=1&k=2")
        #expect(query.encoded(QueryStyle(arrays: .commas)) == "k=1,2")
        #expect(query.encoded(QueryStyle(sendsLiteralBrackets: true)) == "k[]=1&k[]=2")
    }

    @Test func nestedValuesHaveNamesInBrackets() {
        let nested: Query = ["b": 1, "a": ["x": 2] as Query]
        #expect((["f": nested] as Query).plainText == "f[b]=1&f[a][x]=2")
        #expect((["f": ["b": 1, "a": 2]] as Query).plainText == "f[a]=2&f[b]=1")
    }

    @Test func numbersBoolsDatesAndTypesOfYourOwn() {
        let query: Query = [
            "i": -3, "d": 1.5, "b": true, "p": Point(x: 1, y: 2), "s": Sort.newest,
            "t": Date(timeIntervalSince1970: 0),
        ]
        #expect(query.encoded() == "i=-3&d=1.5&b=true&p=1%2C2&s=newest&t=1970-01-01T00%3A00%3A00Z")
    }

    @Test("a value can't add an item or end the query", arguments: ["&k=v", "#x", "a=b", "é \r\n", "100%"])
    func aValueStaysAValue(value: String) throws {
        let encoded = try #require((["q": value] as Query).encoded())
        #expect(encoded.filter { $0 == "&" || $0 == "#" }.isEmpty)
        #expect(encoded.filter { $0 == "=" }.count == 1)
        #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(Query(parsing: encoded)["q"]?.queryValue == .text(value))
    }

    @Test func pairsKeepOrderAndCase() {
        let query = Query([("b", 1), ("A", 2), ("a", 3), ("b", 4)])
        #expect(query.encoded() == "b=1&A=2&a=3&b=4")
    }

    // MARK: Layers

    @Test func aNearerNameReplacesInPlace() async throws {
        let echo = Echo()
        echo.site.setRules { $0.query = ["a": 1, "b": 2, "c": 3] }
        echo.site["x"].setRules { $0.query["b"] = 9 }
        #expect(try await echo.target(echo.site["x"]) == "/x?a=1&b=9&c=3")
        #expect(try await echo.target(echo.site["y"]) == "/y?a=1&b=2&c=3")
    }

    @Test func nilMasksAndInheritShowsAgain() async throws {
        let echo = Echo()
        echo.site.setRules { $0.query["token"] = "t" }
        let child = echo.site["x"]
        child.setRules { $0.query["token"] = nil }
        #expect(try await echo.target(child) == "/x")
        child.setRules { $0.query.inherit("token") }
        #expect(try await echo.target(child) == "/x?token=t")
        try await echo.site.get(query: ["token": nil]).requireSuccess()
        #expect(echo.transport.lastRequest?.request.target == "/")
    }

    @Test func writingOneNameLeavesTheParentsLive() async throws {
        let echo = Echo()
        echo.site.setRules { $0.query["a"] = 1 }
        let child = echo.site["x"]
        child.setRules { $0.query["b"] = 2 }
        echo.site.setRules { $0.query["a"] = 3 }
        #expect(try await echo.target(child) == "/x?a=3&b=2")
    }

    @Test func everyVerbTakesAQuery() async throws {
        let echo = Echo()
        let query: Query = ["q": 1]
        try await echo.site.get(query: query).requireSuccess()
        try await echo.site.head(query: query).requireSuccess()
        try await echo.site.options(query: query).requireSuccess()
        try await echo.site.post(query: query).requireSuccess()
        try await echo.site.put(query: query).requireSuccess()
        try await echo.site.patch(query: query).requireSuccess()
        try await echo.site.delete(query: query).requireSuccess()
        #expect(echo.transport.requests.map(\.query) == Array(repeating: "q=1", count: 7))
        #expect(echo.site.queryString == nil)
    }

    @Test("a question mark without a query is kept, until there are items")
    func bareMark() async throws {
        let transport = StubTransport { _ in .text("ok") }
        let site = Resource("http://a.example/hello?", transport: transport.watched)
        #expect(site.url == "http://a.example/hello?")
        try await site.get().requireSuccess()
        try await site.get(query: ["a": 1]).requireSuccess()
        try await Resource("http://a.example", transport: transport.watched)["hello?"].get().requireSuccess()
        try await Resource("http://a.example/?a=1", transport: transport.watched)["hello?"].get().requireSuccess()
        #expect(
            transport.requests.map(\.request.target) == ["/hello?", "/hello?a=1", "/hello?", "/hello?a=1"]
        )
        #expect(Query(parsing: "").isEmpty)
        #expect(Query(parsing: "&a=1").encoded() == "&a=1")
    }

    @Test func itemsComeInOrderInALoop() {
        var query = Query(parsing: "b=1&a=x+y&b=%C3%A9")
        query["a"] = nil
        query["c"] = 7
        #expect(query.map { "\($0.name)=\($0.value.string ?? "")" } == ["b=1", "b=é", "c=7"])
        #expect(Array(Query(parsing: "")).isEmpty)
    }
}
