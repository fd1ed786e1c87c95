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

    @Test(
        "a list of lists or objects has indexes at every depth, in every style",
        arguments: [
            QueryStyle.Arrays.brackets, .indexed, .repeated, .commas,
        ]
    )
    func nestedListsHaveIndexes(arrays: QueryStyle.Arrays) {
        let style = QueryStyle(arrays: arrays, sendsLiteralBrackets: true)
        let objects: Query = ["items": [["a": 1], ["b": 2]]]
        #expect(objects.encoded(style) == "items[0][a]=1&items[1][b]=2")
        let lists: Query = ["m": [[[1, 2], [3]]] as [[[Int]]]]
        let inner =
            switch arrays {
            case .brackets: "m[0][0][]=1&m[0][0][]=2&m[0][1][]=3"
            case .indexed: "m[0][0][0]=1&m[0][0][1]=2&m[0][1][0]=3"
            case .repeated: "m[0][0]=1&m[0][0]=2&m[0][1]=3"
            case .commas: "m[0][0]=1,2&m[0][1]=3"
            }
        #expect(lists.encoded(style) == inner)
        let deep: Query = ["o": [["lines": [["n": 1], ["n": 2]]], ["lines": []]] as [[String: [[String: Int]]]]]
        #expect(deep.encoded(style) == "o[0][lines][0][n]=1&o[0][lines][1][n]=2")
        let mixed = QueryValue.list([.text("x"), .map([.init(name: "a", value: .text("y"))]), .list([])])
        #expect(Query([("k", mixed)]).encoded(style) == "k[0]=x&k[1][a]=y")
        #expect(Query([("k", QueryValue.list([]))]).encoded(style) == nil)
        #expect((["items": [["a": 1], ["b": 2]]] as Query).encoded() == "items%5B0%5D%5Ba%5D=1&items%5B1%5D%5Bb%5D=2")
    }

    @Test func indexesCanBeWrittenForScalarsToo() {
        let style = QueryStyle(arrays: .indexed, sendsLiteralBrackets: true)
        #expect((["k": ["x", "y"], "e": [Int]()] as Query).encoded(style) == "k[0]=x&k[1]=y")
        #expect((["k": [1, 2]] as Query).encoded(QueryStyle(arrays: .indexed)) == "k%5B0%5D=1&k%5B1%5D=2")
    }

    @Test("booleans are true and false, or 1 and 0, wherever they are")
    func booleans() async throws {
        let query: Query = ["a": true, "b": [true, false], "c": ["d": false], "text": "true"]
        #expect(query.plainText == "a=true&b[]=true&b[]=false&c[d]=false&text=true")
        let style = QueryStyle(booleans: .numeric, sendsLiteralBrackets: true)
        #expect(query.encoded(style) == "a=1&b[]=1&b[]=0&c[d]=0&text=true")
        #expect((["b": [true, false]] as Query).encoded(QueryStyle(arrays: .commas, booleans: .numeric)) == "b=1,0")
        let echo = Echo()
        echo.site.setRules { $0.queryStyle.booleans = .numeric }
        #expect(try await echo.target(echo.site["x"]) == "/x")
        try await echo.site["x"].get(query: ["on": true]).requireSuccess()
        #expect(echo.transport.lastRequest?.query == "on=1")
        #expect(query["a"]?.queryValue.string == "true")
        #expect(echo.site.explain(\.queryStyle).description.contains("booleans as 1 and 0"))
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
        #expect(site.urlString == "http://a.example/hello?")
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
