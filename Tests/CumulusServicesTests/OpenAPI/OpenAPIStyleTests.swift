// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusServices

/// Lists and maps leave in the form that a document says, or not at all.
@Suite struct OpenAPIStyleTests {
    private static let text = #"{"type": "string"}"#
    private static let list = #"{"type": "array", "items": {"type": "string"}}"#
    private static let map = #"{"type": "object", "additionalProperties": {"type": "string"}}"#

    /// Sends one call of an operation; returns the request, or why it was refused.
    private func send(
        _ operation: String,
        path: String = "/a",
        method: String = "get",
        _ arguments: EndpointArguments
    ) async throws -> (request: StubRequest?, problem: EndpointProblem?, gaps: [OpenAPIGap]) {
        let document = try OpenAPIDocument(
            json: Array(
                """
                {"openapi": "3.1.0", "info": {"title": "t"}, "servers": [{"url": "http://a.example"}],
                 "paths": {"\(path)": {"\(method)": {"operationId": "op", \(operation)}}}}
                """.utf8
            )
        )
        // What is stored is what is used.
        let service = try ServiceDescription(document.service.json)
        #expect(service == document.service)
        let transport = StubTransport { _ in .text("") }
        do {
            _ = try await Service(service, transport: transport).call("op", arguments).send()
        } catch let error as CumulusError {
            return (nil, error.cause as? EndpointProblem, document.gaps)
        }
        return (transport.lastRequest, nil, document.gaps)
    }

    private func parameter(_ name: String, in place: String, _ schema: String, _ more: String = "") -> String {
        #""parameters": [{"name": "\#(name)", "in": "\#(place)", "required": \#(place == "path"), "schema": \#(schema)\#(more)}]"#
    }

    // MARK: Queries

    @Test(
        "a list in a query has the document's style",
        arguments: [
            ("p", list, "", "p=a%20b&p=c%2Cd"), ("p", list, #", "explode": false"#, "p=a%20b,c%2Cd"),
            ("tag-ids", list, "", "tag-ids=a%20b&tag-ids=c%2Cd"),
            ("filter.tag", list, "", "filter.tag=a%20b&filter.tag=c%2Cd"),
            ("ids[]", list, "", "ids%5B%5D=a%20b&ids%5B%5D=c%2Cd"),
            (
                "ids[]", #"{"type": "string", "enum": ["a b", "c,d", "e"]}"#, #", "explode": true"#,
                "ids%5B%5D=a%20b&ids%5B%5D=c%2Cd"
            ),
            ("p", list, #", "style": "pipeDelimited", "explode": false"#, "p=a%20b%7Cc%2Cd"),
            ("p", list, #", "style": "pipeDelimited", "explode": true"#, "p=a%20b&p=c%2Cd"),
            ("p", list, #", "style": "deepObject", "explode": true"#, "p%5B%5D=a%20b&p%5B%5D=c%2Cd"),
            ("p", #"{"anyOf": [{"type": "string"}, \#(list)]}"#, "", "p=a%20b&p=c%2Cd"),
            ("p", #"{"items": {"type": "string"}}"#, "", "p=a%20b&p=c%2Cd"), ("p", "{}", "", "p=a%20b&p=c%2Cd"),
            ("p", #"{"anyOf": [\#(list), {"type": "null"}]}"#, #", "explode": false"#, "p=a%20b,c%2Cd"),
            ("p", #"{"allOf": [{"description": "x"}, \#(list)]}"#, #", "explode": false"#, "p=a%20b,c%2Cd"),
        ]
    )
    func lists(name: String, schema: String, more: String, query: String) async throws {
        var arguments = EndpointArguments()
        arguments[name] = ["a b", "c,d"]
        let sent = try await send(parameter(name, in: "query", schema, more), arguments)
        #expect(sent.request?.query == query, "\(String(describing: sent.problem))")
        #expect(sent.gaps.isEmpty)
    }

    @Test("a single value whose name ends in brackets, with explode, is a list; without explode it is one value")
    func singleValuesInBrackets() async throws {
        let schema = #"{"type": "string", "enum": ["triggered", "resolved"]}"#
        let exploded = parameter("statuses[]", in: "query", schema, #", "explode": true"#)
        let one = try await send(exploded, ["statuses[]": "triggered"])
        #expect(one.request?.query == "statuses%5B%5D=triggered", "\(String(describing: one.problem))")
        let unknown = try await send(exploded, ["statuses[]": ["triggered", "lost"]])
        #expect(unknown.request == nil && unknown.problem != nil)
        let single = parameter("statuses[]", in: "query", schema)
        let plain = try await send(single, ["statuses[]": ["triggered", "resolved"]])
        #expect(plain.request == nil && plain.problem != nil)
    }

    @Test(
        "a map in a query has the document's style",
        arguments: [
            ("", "R=1&G=a%26b"), (#", "explode": false"#, "p=R,1,G,a%26b"),
            (#", "style": "deepObject", "explode": true"#, "p%5BR%5D=1&p%5BG%5D=a%26b"),
            (#", "style": "spaceDelimited", "explode": false"#, "p=R%201%20G%20a%26b"),
            (#", "style": "pipeDelimited", "explode": false"#, "p=R%7C1%7CG%7Ca%26b"),
        ]
    )
    func maps(more: String, query: String) async throws {
        let value: JSON = ["R": 1, "G": "a&b"]
        let sent = try await send(parameter("p", in: "query", Self.map, more), ["p": value])
        #expect(sent.request?.query == query, "\(String(describing: sent.problem))")
    }

    @Test func aQueryItemWithJSONAsItsContentIsJSON() async throws {
        let operation =
            #""parameters": [{"name": "p", "in": "query", "content": {"application/json": {"schema": \#(Self.map)}}}]"#
        for value in [["a": 1] as JSON, #"{"a":1}"#] {
            let sent = try await send(operation, ["p": value])
            #expect(sent.request?.query == "p=%7B%22a%22%3A1%7D")
            #expect(sent.gaps.isEmpty)
        }
    }

    @Test func namesThatArePartOfThePathAsWellKeepTheirValues() async throws {
        let operation = """
            "parameters": [{"name": "tag", "in": "path", "required": true, "schema": \(Self.text)},
                           {"name": "tag", "in": "query", "schema": \(Self.list)}]
            """
        let sent = try await send(operation, path: "/a/{tag}", ["tag": "x", "tag_query": ["b", "c"]])
        #expect(sent.request?.request.target == "/a/x?tag=b&tag=c")
        #expect(sent.gaps.isEmpty)
    }

    // MARK: Other places

    @Test(
        "a list or a map in a path has the document's style",
        arguments: [
            (list, "", "/a/x,y%20z"), (list, #", "style": "label""#, "/a/.x,y%20z"),
            (list, #", "style": "label", "explode": true"#, "/a/.x.y%20z"),
            (list, #", "style": "matrix""#, "/a/;my-p=x,y%20z"),
            (list, #", "style": "matrix", "explode": true"#, "/a/;my-p=x;my-p=y%20z"),
        ]
    )
    func paths(schema: String, more: String, target: String) async throws {
        let name = more.contains("matrix") ? "my%2Dp" : "my_p"
        var arguments = EndpointArguments()
        arguments[name] = ["x", "y z"]
        let sent = try await send(parameter("my-p", in: "path", schema, more), path: "/a/{my-p}", arguments)
        #expect(
            sent.request?.request.target.replacing("my%2Dp", with: "my-p") == target,
            "\(String(describing: sent.problem))"
        )
    }

    @Test func headerFieldsHaveCommas() async throws {
        let list = try await send(parameter("X-P", in: "header", Self.list), ["X-P": ["a", "b c"]])
        #expect(list.request?.headers["X-P"] == "a,b c")
        let map: JSON = ["R": 1, "G": "x"]
        let plain = try await send(parameter("X-P", in: "header", Self.map), ["X-P": map])
        #expect(plain.request?.headers["X-P"] == "R,1,G,x")
        let exploded = try await send(parameter("X-P", in: "header", Self.map, #", "explode": true"#), ["X-P": map])
        #expect(exploded.request?.headers["X-P"] == "R=1,G=x")
    }

    @Test func cookiesAreSentBesideEachOther() async throws {
        let operation = """
            "parameters": [{"name": "sid", "in": "cookie", "schema": \(Self.text)},
                           {"name": "n", "in": "cookie", "explode": false, "schema": \(Self.list)},
                           {"name": "m", "in": "cookie", "style": "cookie", "schema": \(Self.list)}]
            """
        let sent = try await send(operation, ["sid": "x==", "n": [1, 2], "m": ["a", "b"]])
        #expect(sent.request?.headers[.cookie] == "sid=x==; n=1,2; m=a; m=b", "\(String(describing: sent.problem))")
        #expect(sent.gaps.isEmpty)
    }

    // MARK: Bodies

    private func body(_ type: String, _ encoding: String = "") -> String {
        """
        "requestBody": {"content": {"\(type)": {"schema": {"type": "object", "properties": {
          "a": \(Self.list), "o": {"type": "object"}, "s": \(Self.text), "n": {"type": "integer"},
          "l": {"type": "array", "items": {"type": "object"}}}}, "encoding": {\(encoding)}}}}
        """
    }
    private static let members: EndpointArguments = [
        "a": ["x y", "z,"], "o": ["k": 1] as JSON, "s": "t", "n": 5, "l": [["i": 1], ["i": 2]] as JSON,
    ]

    @Test(
        "a form's lists are fields of one name, its maps are JSON, and an encoding says otherwise",
        arguments: [
            ("", "a=x%20y&a=z%2C&o=%7B%22k%22%3A1%7D&s=t&n=5&l=%7B%22i%22%3A1%7D&l=%7B%22i%22%3A2%7D"),
            (
                #""a": {"explode": false}, "o": {"style": "deepObject"}, "l": {"contentType": "application/json"}"#,
                "a=x%20y,z%2C&o%5Bk%5D=1&s=t&n=5&l=%5B%7B%22i%22%3A1%7D%2C%7B%22i%22%3A2%7D%5D"
            ),
            (
                #""a": {"style": "pipeDelimited", "explode": false}, "o": {"style": "form"}"#,
                "a=x%20y%7Cz%2C&k=1&s=t&n=5&l=%7B%22i%22%3A1%7D&l=%7B%22i%22%3A2%7D"
            ),
        ]
    )
    func forms(encoding: String, text: String) async throws {
        let operation = body("application/x-www-form-urlencoded", encoding)
        let sent = try await send(operation, method: "post", Self.members)
        #expect(sent.request?.text == text, "\(String(describing: sent.problem))")
        #expect(sent.request?.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func partsAreOneForEachElement() async throws {
        let sent = try await send(body("multipart/form-data"), method: "post", Self.members)
        let type = sent.request?.headers[.contentType].flatMap { MediaType(parsing: $0) }
        let bytes = ByteChunk(sent.request?.text ?? "")
        let source = ReplayedBytes(bytes)
        var parts: [String] = []
        for try await part in try MultipartStream(of: type, nextBytes: { source.next() }) {
            let received = try await part.collect()
            let name = received.name ?? ""
            parts.append(
                "\(name) \(received.headers[.contentType] ?? "-") \(String(decoding: received.bytes.bytes, as: UTF8.self))"
            )
        }
        #expect(
            parts == [
                "a - x y", "a - z,", #"o application/json {"k":1}"#, "s - t", "n - 5", #"l application/json {"i":1}"#,
                #"l application/json {"i":2}"#,
            ]
        )
    }

    // MARK: Refusals

    @Test(
        "what a style can't write is refused with the parameter's name, and nothing is sent",
        arguments: [
            (list, "query", #", "style": "pipeDelimited", "explode": false"#, ["a|b"] as JSON),
            (list, "query", #", "style": "spaceDelimited", "explode": false"#, ["a b"]), (list, "query", "", [["a"]]),
            (map, "query", "", ["k": ["l": 1]]), (list, "header", "", ["a,b"]), (text, "query", "", ["a"]),
            (text, "header", "", ["k": 1]), (list, "query", #", "style": "unheardOf""#, ["a"]),
            (list, "cookie", "", ["a"]),
            (text, "cookie", "", "a;b"), (text, "cookie", "", "ü"), (list, "cookie", #", "explode": false"#, ["a,b"]),
            (map, "cookie", #", "style": "cookie""#, ["k": 1]), (#"{"type": "integer"}"#, "query", "", [1]),
        ] as [(String, String, String, JSON)]
    )
    func refusals(schema: String, place: String, more: String, value: JSON) async throws {
        let sent = try await send(parameter("p-p", in: place, schema, more), ["p-p": value])
        #expect(sent.request == nil)
        guard case .unusableValue(let name, _)? = sent.problem else {
            Issue.record("\(String(describing: sent.problem))")
            return
        }
        #expect(name == "p-p")
    }

    @Test func stylesThatAreNotKnownAreGaps() async throws {
        for (place, more) in [("query", #", "style": "unheardOf""#), ("cookie", ""), ("header", #", "style": "form""#)]
        {
            let sent = try await send(parameter("p", in: place, Self.list, more), ["p": "a"])
            #expect(sent.gaps.map(\.pointer) == ["/paths/~1a/get/parameters/0"], "\(place)")
            #expect(sent.request != nil)
        }
    }
}

/// Bytes in one piece, once.
private final class ReplayedBytes: Sendable {
    private let bytes: Mutex<ByteChunk?>

    init(_ bytes: ByteChunk) { self.bytes = Mutex(bytes) }

    func next() -> ByteChunk? {
        bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
    }
}
