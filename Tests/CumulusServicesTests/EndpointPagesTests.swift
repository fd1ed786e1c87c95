// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusTesting
import HTTPTypes
import Testing

/// Paging by services and their endpoints, and calls for following pages.
@Suite struct EndpointPagesTests {
    private static func service(_ paging: JSON?, endpoint: JSON? = nil) throws -> ServiceDescription {
        var members: JSON = [
            "name": "s", "baseURL": "http://a.example",
            "endpoints": [
                ["name": "list", "template": "list", "parameters": ["page", "q", ["name": "key", "in": "header"]]],
                ["name": "add", "method": "POST", "template": "list"],
            ],
        ]
        members["paging"] = paging ?? .null
        if let endpoint { members["endpoints"][0]["paging"] = endpoint }
        return try ServiceDescription(members)
    }

    /// Three pages with one item each, indicated by a cursor, a link and a number.
    private let transport = StubTransport { request in
        let query = Query(parsing: request.query ?? "")
        let page = query["page"]?.queryValue.string.flatMap { Int($0) } ?? 1
        let items: JSON = page > 3 ? [] : [.number(.init(page))]
        let next: JSON = page < 3 ? .string("\(page + 1)") : .null
        let link = "<?page=\(page + 1)>; rel=next"
        return .json(["items": items, "next": next], headers: page < 3 ? ["Link": link] : [:])
    }

    private static let rules: [JSON] = [
        "links", ["rule": "cursor", "at": "next", "query": "page", "items": "items"],
        ["rule": "page", "items": "/items"],
    ]

    @Test(arguments: rules)
    func aDescriptionSaysHowListsArePaged(rule: JSON) async throws {
        for description in [try Self.service(rule), try Self.service("hal", endpoint: rule)] {
            #expect(try ServiceDescription(description.json) == description)
            let service = Service(description, transport: transport)
            var items: [Int] = []
            for try await item in try service.pages("list", of: Int.self) { items.append(item) }
            #expect(items == [1, 2, 3])
        }
    }

    @Test(
        arguments: [
            "automatic", "links", "hal", "jsonAPI", "odata", ["rule": "header", "field": "Next-Page"],
            ["rule": "header", "field": "X-Next", "query": "page", "items": "a.b"],
            ["rule": "link", "at": "paging.next"],
            ["rule": "cursor", "at": "/meta/next", "query": "c", "more": "has_more"],
            ["rule": "last", "at": "id", "query": "after", "more": "more"], "page",
            ["rule": "page", "query": "p", "first": 0, "last": "meta.pages"], "offset",
            ["rule": "offset", "query": "from", "total": "total", "origins": ["https://b.example"]],
        ] as [JSON]
    )
    func rulesAreWrittenAsTheyAreRead(rule: JSON) throws {
        #expect(try PagingRule(rule).json == rule)
    }

    @Test(
        arguments: [
            ("none", "is unknown; the rules are"), (["rule": "cursor", "query": "q"], "requires at"),
            (["rule": "header"], "requires field"), (["rule": "page", "first": "1"], "whole number"),
            (["rule": "links", "at": "x"], "is not allowed here"), (["at": "x"], "is unknown; the rules are"),
            (1, "must be an object"), (["rule": "links", "origins": ["no"]], "list of URLs"),
            (["rule": 1], "must be a string"),
        ] as [(JSON, String)]
    )
    func whatIsNoRuleIsRefused(rule: JSON, reason: String) throws {
        let error = #expect(throws: ServiceProblems.self) { try Self.service(rule) }
        let text = error?.description ?? ""
        #expect(text.contains(reason), "\(text)")
        #expect(error?.problems.allSatisfy { $0.place.hasPrefix("paging") } == true)
        #expect(throws: ServiceProblems.self) { try PagingRule(rule) }
    }

    // MARK: Calls for next pages

    @Test(arguments: rules)
    func aCopyOfACallIsForTheNextPage(rule: JSON) async throws {
        let service = Service(try Self.service(rule), transport: transport)
        var call: Call<Response>? = service.call("list", ["q": "tea", "key": "k"])
        var pages: [JSON] = []
        while let current = call {
            let response = try await current.send()
            pages.append(try response.json()["items"])
            call = try current.nextPage(after: response)
            if pages.count > 5 { break }
        }
        // With page numbers alone, only an empty page shows the end.
        #expect(pages.prefix(3) == [[1], [2], [3]])
        #expect(pages.count == (rule == Self.rules[2] ? 4 : 3))
        #expect(transport.requests.allSatisfy { $0.headers["key"] == "k" })
    }

    @Test func aCopyHasAnotherPageInItsQuery() async throws {
        let service = Service(try Self.service("page"), transport: transport)
        let first = service.call("list", ["q": "a"], as: JSON.self)
        var third = first
        third.query["page"] = 3
        #expect(try await third.send()["items"] == [3])
        #expect(transport.lastRequest?.request.target == "/list?q=a&page=3")
        #expect(try await first.send()["items"] == [1])
    }

    @Test func onlyAGetHasANextPage() async throws {
        let service = Service(try Self.service("page"), transport: transport)
        let response = try await service.call("list").send()
        let error = #expect(throws: CumulusError.self) { try service.call("add").nextPage(after: response) }
        #expect(error?.code == .invalidRequest)
        #expect(throws: CumulusError.self) { try service.call("nothing").nextPage(after: response) }
    }

    @Test func aNextPageElsewhereIsRefused() async throws {
        let stub = StubTransport { _ in .json([1], headers: ["Link": "<https://evil.example/>; rel=next"]) }
        let service = Service(try Self.service("links"), transport: stub)
        let call = service.call("list")
        let response = try await call.send()
        let error = #expect(throws: CumulusError.self) { try call.nextPage(after: response) }
        #expect((error?.cause as? PagingProblem)?.kind == .otherOrigin)
    }
}
