// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Each way to indicate the next page, over three pages with the items 1 to 5.
@Suite struct PagingRuleTests {
    private struct Entry: Decodable, Sendable, Equatable {
        let id: Int
    }

    private static func items(_ ids: ClosedRange<Int>) -> JSON { .array(ids.map { ["id": .number(.init($0))] }) }
    private static let pages = [items(1...2), items(3...4), items(5...5)]

    /// The received numbers, and the requested targets.
    private func read(
        _ rule: PagingRule,
        query: Query = [:],
        _ answer: @escaping @Sendable (StubRequest) -> StubResponse
    ) async throws -> (ids: [Int], targets: [String]) {
        let transport = StubTransport { answer($0) }
        let site = Resource("http://a.example", transport: transport.watched) { $0.paging = rule }
        var ids: [Int] = []
        for try await entry in site["entries"].pages(of: Entry.self, query: query) { ids.append(entry.id) }
        return (ids, transport.requests.map(\.request.target))
    }

    /// The page that a request asks for with a query item `at`, by default the first.
    private static func index(_ request: StubRequest, _ name: String = "at") -> Int {
        Query(parsing: request.query ?? "")[name]?.queryValue.string.flatMap(Int.init) ?? 0
    }

    private static let three = ["/entries", "/entries?at=1", "/entries?at=2"]

    @Test(arguments: [PagingRule.links, .automatic])
    func linkFieldsLeadOn(rule: PagingRule) async throws {
        let read = try await read(rule) { request in
            let at = Self.index(request)
            let link = "<?at=\(at + 1)>; rel=\"next\", </entries>; rel=first"
            return .json(Self.pages[at], headers: at < 2 ? ["Link": link] : ["Link": "</entries>; rel=first"])
        }
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets == Self.three)
    }

    @Test(arguments: [PagingRule.header("Next-Page"), .automatic])
    func aHeaderWithAURLLeadsOn(rule: PagingRule) async throws {
        let read = try await read(rule) { request in
            let at = Self.index(request)
            let next = "http://a.example/entries?at=\(at + 1)"
            return .json(["data": Self.pages[at]], headers: at < 2 ? ["Next-Page": next] : [:])
        }
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets == Self.three)
    }

    @Test func aHeaderWithACursorGoesIntoTheQuery() async throws {
        let read = try await read(.header("X-Next-Page", query: "at"), query: ["size": 2]) { request in
            let at = Self.index(request)
            return .json(Self.pages[at], headers: ["X-Next-Page": at < 2 ? "\(at + 1)" : ""])
        }
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets == ["/entries?size=2", "/entries?size=2&at=1", "/entries?size=2&at=2"])
    }

    @Test(
        arguments: [
            (PagingRule.hal, "_links.next.href", "_embedded.entries"), (.automatic, "_links.next.href", "_embedded.e"),
            (.jsonAPI, "links.next", "data"), (.jsonAPI, "links.next.href", "data"), (.automatic, "links.next", "data"),
            (.odata, #"@odata\.nextLink"#, "value"), (.automatic, #"@odata\.nextLink"#, "value"),
            (.odata, "d.__next", "d.results"), (.odata, #"odata\.nextLink"#, "value"),
            (.automatic, "next", "results"), (.automatic, "next", "entries"),
            (.link(at: "/page/next"), "page.next", "items"),
            (.link(at: "a~b").items(at: "/x~1y/0/z"), "a~b", "x/y[0].z"),
        ] as [(PagingRule, String, String)]
    )
    func linksInBodiesLeadOn(rule: PagingRule, next: String, items: String) async throws {
        let map: FieldMap = [.optional("next", at: next), .optional("items", at: items)]
        let read = try await read(rule) { request in
            let at = Self.index(request)
            let body: JSON = ["next": at < 2 ? .string("/entries?at=\(at + 1)") : .null, "items": Self.pages[at]]
            return (try? map.encode(body)).map { .json($0) } ?? .status(.internalServerError)
        }
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets == Self.three)
    }

    @Test(arguments: [JSON.null, "", false, 0, "0"])
    func cursorsInBodiesGoIntoTheQueryUntilThereIsNone(end: JSON) async throws {
        let read = try await read(.cursor(at: "meta.cursor", query: "at").items(at: "entries")) { request in
            let at = Self.index(request)
            let next = at == 0 ? 1 : at == 1 ? "2" : end
            return .json(["entries": Self.pages[at], "other": [], "meta": ["cursor": next]])
        }
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets == Self.three)
    }

    @Test func aCursorIsEscapedAsData() async throws {
        let read = try await read(.cursor(at: "cursor", query: "at")) { request in
            let isFirst = request.query == nil
            return .json(isFirst ? ["cursor": "a&b=c d/é+", "data": Self.pages[0]] : ["data": Self.pages[1]])
        }
        #expect(read.targets == ["/entries", "/entries?at=a%26b%3Dc%20d%2F%C3%A9%2B"])
    }

    @Test func theLastItemCanBeTheCursor() async throws {
        let read = try await read(.cursor(ofLast: "id", query: "after", more: "has_more")) { request in
            let at = Self.index(request, "after") / 2
            return .json(["data": Self.pages[at], "has_more": .bool(at < 2)])
        }
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets == ["/entries", "/entries?after=2", "/entries?after=4"])
        // Without a member for more pages, an empty page is the end.
        let bare = try await self.read(.cursor(ofLast: "id", query: "after")) { request in
            let last = Self.index(request, "after")
            return .json(last == 5 ? [] : Self.pages[last / 2])
        }
        #expect(bare.ids == [1, 2, 3, 4, 5])
        #expect(bare.targets.count == 4)
    }

    @Test func pagesAreCountedUntilOneIsEmpty() async throws {
        let read = try await read(.pageNumber()) { request in
            let number = max(1, Self.index(request, "page"))
            return .json(number < 4 ? Self.pages[number - 1] : [])
        }
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets == ["/entries", "/entries?page=2", "/entries?page=3", "/entries?page=4"])
    }

    @Test func theLastPagesNumberSavesARequestAndTheFirstCanBeNamed() async throws {
        let read = try await read(.pageNumber(query: "p", first: 0, last: "pages"), query: ["p": 1]) { request in
            .json(["pages": "2", "data": Self.pages[Self.index(request, "p")]])
        }
        #expect(read.ids == [3, 4, 5])
        #expect(read.targets == ["/entries?p=1", "/entries?p=2"])
    }

    @Test func offsetsCountWhatCame() async throws {
        let answer: @Sendable (StubRequest) -> StubResponse = { request in
            let offset = Self.index(request, "offset")
            return .json(["total": 5, "items": offset > 4 ? [] : Self.items(offset + 1...min(5, offset + 2))])
        }
        // The server returns two items instead of four: a short page doesn't end the run.
        let read = try await read(.offset(), query: ["limit": 4], answer)
        #expect(read.ids == [1, 2, 3, 4, 5])
        #expect(read.targets.last == "/entries?limit=4&offset=5")
        let counted = try await self.read(.offset(total: "total"), answer)
        #expect(counted.ids == [1, 2, 3, 4, 5])
        #expect(counted.targets == ["/entries", "/entries?offset=2", "/entries?offset=4"])
    }

    @Test(
        arguments: [
            (.cursor(at: "c", query: "at"), #"{"c": [], "data": []}"#, .invalidCursor),
            (.cursor(ofLast: "key", query: "at"), #"{"data": [{"id": 1}]}"#, .invalidCursor),
            (.pageNumber(last: "c"), #"{"c": "many", "data": [{"id": 1}]}"#, .invalidCursor),
            (.offset(total: "c"), #"{"c": -1, "data": [{"id": 1}]}"#, .invalidCursor),
            (.links, #"{"a": [], "b": []}"#, .ambiguousItems), (.links, #"{"a": 1}"#, .ambiguousItems),
            (.links.items(at: "x.y"), #"{"x": {}}"#, .noItems), (.links.items(at: "x"), #"{"x": 7}"#, .noItems),
            (.jsonAPI, #"{"links": {"next": "ftp://a.example/"}, "data": []}"#, .invalidLink),
        ] as [(PagingRule, String, PagingProblem.Kind)]
    )
    func whatARuleDoesNotFindIsNamed(rule: PagingRule, body: String, kind: PagingProblem.Kind) async throws {
        let error = try await failure { try await read(rule) { _ in .json(body) } }
        #expect(error.code == .paging)
        #expect(error.kind == .content)
        #expect((error.cause as? PagingProblem)?.kind == kind)
        #expect(error.response?.statusCode == 200)
    }

    @Test func numbersThatCountTooFarEndTheRun() async throws {
        let read = try await read(.pageNumber(), query: ["page": "\(Int.max)"]) { _ in .json(Self.pages[0]) }
        #expect(read.ids == [1, 2])
    }

    @Test func aPageWithoutContentHasNoItems() async throws {
        let read = try await read(.automatic) { request in
            request.query == nil ? .status(.noContent, headers: ["Link": "<?at=2>; rel=next"]) : .json(Self.pages[2])
        }
        #expect(read.ids == [5])
        let hal = try await self.read(.hal) { _ in .json(["_links": [:]]) }
        #expect(hal.ids == [])
    }

    @Test("a page without a body is an error unless its status is 204", arguments: [1, 2])
    func emptyPages(page: Int) async throws {
        let error = try await failure {
            try await read(.automatic) { request in
                if request.query == nil, page == 2 {
                    return .json(Self.pages[0], headers: ["Link": "<?at=2>; rel=next"])
                }
                return .response(headers: [.contentType: "application/json"])
            }
        }
        #expect(error.code == .paging && error.kind == .content)
        #expect((error.cause as? PagingProblem)?.kind == .noItems)
        #expect("\(error)".contains("the page has no body, but its status is 200, not 204"), "\(error)")
    }

    @Test func rulesTellWhatTheyAre() {
        #expect("\(PagingRule.automatic) \(PagingRule.hal) \(PagingRule.odata)" == "automatic hal odata")
        let rule = PagingRule.cursor(at: "a.b", query: "c").items(at: "/d").leading(to: "https://b.example/x")
        #expect("\(rule)" == #"cursor(at: "a.b", query: "c").items(at: "/d").leading(to: "https://b.example")"#)
        #expect(PagingRule.links.leading(to: "no URL") == .links)
    }
}
