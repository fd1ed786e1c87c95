// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `cumulus call` of endpoints whose OpenAPI document asks for forms, cookies and styles.
@Suite(.timeLimit(.minutes(1))) struct CallFormTests {
    private static let list = #"{"type": "array", "items": {"type": "string"}}"#
    private static let members = """
        {"schema": {"type": "object", "properties": {"tags": \(list), "meta": {"type": "object"}, "s": {"type": "string"},
          "n": {"type": "integer"}, "u": {"anyOf": [{"type": "string"}, \(list)]}}}}
        """
    private static let document = """
        {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "http://127.0.0.1:9"}], "paths": {
          "/form": {"post": {"operationId": "form", "requestBody": {"content":
            {"application/x-www-form-urlencoded": \(members)}}}},
          "/parts": {"post": {"operationId": "parts", "requestBody": {"content": {"multipart/form-data": \(members)}}}},
          "/q": {"get": {"operationId": "q", "parameters": [
            {"name": "tag-ids", "in": "query", "schema": \(list)}, {"name": "ids[]", "in": "query", "schema": \(list)},
            {"name": "filter.tag", "in": "query", "schema": \(list)}, {"name": "any", "in": "query", "schema": {}},
            {"name": "pipes", "in": "query", "style": "pipeDelimited", "explode": false, "schema": \(list)},
            {"name": "json", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
            {"name": "one", "in": "query", "schema": {"type": "string"}},
            {"name": "sid", "in": "cookie", "schema": {"type": "string"}}]}}}}
        """

    /// Calls an endpoint; returns the request that was sent, or the notes.
    private func call(_ words: String...) async throws -> (request: StubRequest?, notes: String) {
        let home = try TemporaryFolder()
        let path = "\(home.path)/shop.json"
        try Self.document.write(toFile: path, atomically: true, encoding: .utf8)
        let transport = StubTransport { _ in .text("") }
        let console = MemoryConsole(environment: ["XDG_CONFIG_HOME": home.path, "HOME": home.path])
        let run = CommandRun(console.console) { _ in transport }
        #expect(await run.run(["services", "import", path]) == .success)
        let status = await run.run(["call", "shop"] + words)
        let notes = console.notes.joined(separator: "\n")
        #expect(status == (transport.lastRequest == nil ? .usage : .success), "\(notes)")
        return (transport.lastRequest, notes)
    }

    @Test(
        "a form's list is a field for each element, however it is written",
        arguments: [
            ["tags=a b", "tags=c,d"], ["tags:=[\"a b\",\"c,d\"]"], ["tags[]=a b", "tags[]=c,d"],
            ["tags[0]=a b", "tags[1]=c,d"],
        ]
    )
    func lists(items: [String]) async throws {
        let whole = items.count == 2 && !items[0].contains("[")
        let expected = whole ? "tags=a%20b&tags=c&tags=d" : "tags=a%20b&tags=c%2Cd"
        let sent = items.count == 1 ? try await call("form", items[0]) : try await call("form", items[0], items[1])
        #expect(sent.request?.text == expected, "\(sent.notes)")
    }

    @Test func fieldsKeepTheirOrderAndKinds() async throws {
        let sent = try await call("form", "s=x;type=a/b", "n=5", "meta:={\"k\":1}", "u=p", "u=q")
        #expect(sent.request?.text == "s=x%3Btype%3Da%2Fb&n=5&meta=%7B%22k%22%3A1%7D&u=p&u=q", "\(sent.notes)")
        let nested = try await call("form", "meta[k]=v", "meta[l]:=2", "u=p")
        #expect(nested.request?.text == "meta=%7B%22k%22%3A%22v%22%2C%22l%22%3A2%7D&u=p", "\(nested.notes)")
    }

    @Test func partsAreOneForEachElementAndJSONForObjects() async throws {
        let sent = try await call("parts", "tags=a,b", "meta:={\"k\":1}", "s=x;type=a/b", "--boundary", "xx")
        let part = { (name: String, type: String, text: String) in
            "--xx\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\(type)\r\n\(text)\r\n"
        }
        let json = "Content-Type: application/json\r\n"
        let text =
            part("tags", "", "a") + part("tags", "", "b") + part("meta", json, #"{"k":1}"#)
            + part("s", "", "x;type=a/b")
        #expect(sent.request?.text == text + "--xx--\r\n", "\(sent.notes)")
    }

    @Test(
        "a query has the document's style",
        arguments: [
            ("tag-ids:=[\"1\",\"2\"]", "tag-ids=1&tag-ids=2"), ("tag-ids=1,2", "tag-ids=1&tag-ids=2"),
            ("ids[]:=[\"1\",\"2\"]", "ids%5B%5D=1&ids%5B%5D=2"), ("filter.tag:=[\"1\"]", "filter.tag=1"),
            ("any:=[1,2]", "any=1&any=2"), ("any=1,2", "any=1%2C2"), ("pipes:=[\"1\",\"2\"]", "pipes=1%7C2"),
            ("json:={\"a\":1}", "json=%7B%22a%22%3A1%7D"), ("json={\"a\":1}", "json=%7B%22a%22%3A1%7D"),
        ]
    )
    func queries(item: String, query: String) async throws {
        let sent = try await call("q", item)
        #expect(sent.request?.query == query, "\(sent.notes)")
    }

    @Test func cookiesAreSent() async throws {
        #expect(try await call("q", "sid=abc").request?.headers[.cookie] == "sid=abc")
    }

    @Test(
        "what can't be sent so is refused with its name",
        arguments: [
            ("q", "pipes:=[\"a|b\"]", "pipes"), ("q", "one:=[\"a\"]", "one"), ("form", "s:=[\"a\"]", "\"s\""),
            ("form", "n=x", "n"),
            ("q", "sid=a;b", "sid"), ("form", "s[k]=v", "s"),
        ]
    )
    func refusals(endpoint: String, item: String, name: String) async throws {
        let sent = try await call(endpoint, item)
        #expect(sent.request == nil)
        #expect(sent.notes.contains(name), "\(sent.notes)")
    }
}
