// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The forms in which servers name a next page: each is read, or ends the run with an error.
@Suite struct PageFormsTests {
    /// What a run over pages gave: the items, the requested targets, the error.
    private struct Outcome {
        var items: [Int] = []
        var targets: [String] = []
        var problem: PagingProblem?
        var doubt: PagingRule.Ambiguity?
    }

    /// Reads a list of two pages; the first has these members besides its items, the second has the items only.
    private func read(
        _ first: JSON,
        by rule: PagingRule = .automatic,
        headers: Headers = [:],
        most: Int? = nil
    ) async throws -> Outcome {
        let transport = StubTransport { request in
            let isFirst = request.request.target == "/list"
            guard isFirst else { return .json(["items": [3, 4]] as JSON) }
            guard var members = first.object else { return .json(first, headers: headers) }
            if members["items"] == nil { members["items"] = [1, 2] }
            return .json(.object(members), headers: headers)
        }
        let list = Resource("http://a.example", transport: transport.watched)["list"]
        var outcome = Outcome()
        do {
            for try await page in list.pages(of: Int.self, by: rule, maxPages: most).byPage {
                outcome.items += page.items
                outcome.doubt = outcome.doubt ?? page.ambiguity
            }
        } catch let error as CumulusError {
            #expect(error.code == .paging)
            outcome.problem = error.cause as? PagingProblem
        }
        outcome.targets = transport.requests.map(\.request.target)
        return outcome
    }

    private static let next: JSON = "/list?page=2"

    @Test(
        "a link in a usual place leads on",
        arguments: [
            (["next": next], .automatic), (["next": ["href": next]], .automatic), (["nextLink": next], .automatic),
            (["next_page": next], .automatic), (["next_page_url": next], .automatic),
            (["paging": ["next": next]], .automatic),
            (["pagination": ["next": next]], .automatic), (["meta": ["next": next]], .automatic),
            (["links": [["rel": "self", "href": "/list"], ["rel": "next", "href": next]]], .automatic),
            (["link": [["relation": "next", "url": next]]], .automatic),
            (["_links": ["next": ["href": "list?page=2"]]], .automatic),
            (["_links": ["next": [["href": next]]]], .automatic),
            (["_links": ["next": [["href": next], ["href": next, "name": "b"]]]], .automatic),
            (["links": ["next": [next]]], .jsonAPI), (["more": ["url": [["href": next]]]], .link(at: "more.url")),
        ] as [(JSON, PagingRule)]
    )
    func links(first: JSON, rule: PagingRule) async throws {
        let outcome = try await read(first, by: rule)
        #expect(outcome.items == [1, 2, 3, 4] && outcome.problem == nil, "\(outcome)")
        #expect(outcome.targets == ["/list", "/list?page=2"])
    }

    @Test(
        "a template is expanded without values, as its variables are options",
        arguments: [
            ("/list?page=2&size=5{&sort}", "/list?page=2&size=5"), ("/list{?page,size}", "/list"),
            ("/list/2{?sort}", "/list/2"), ("/list/2{#top}", "/list/2"),
        ]
    )
    func templates(link: String, target: String) async throws {
        for isMarked in [true, false] {
            let next: JSON = ["href": .string(link), "templated": .bool(isMarked)]
            let outcome = try await read(["_links": ["next": next]], by: .hal)
            // The second is the page itself: the list would never end.
            #expect(
                target == "/list" ? outcome.problem?.kind == .loop : outcome.targets == ["/list", target],
                "\(outcome)"
            )
        }
    }

    @Test func aTemplateThatIsNoneIsAnError() async throws {
        let outcome = try await read(["_links": ["next": ["href": "/list?page=2{&sort"]]])
        #expect(outcome.items == [1, 2] && outcome.problem?.kind == .invalidLink)
        #expect(outcome.problem?.reason.contains("_links.next") == true, "\(outcome)")
    }

    @Test(
        "what names a next page in another form is an error after the items, and never the end",
        arguments: [
            (["next": "3"], "next"), (["next": 2], "next"), (["next": true], "next"), (["next": ["offset": 2]], "next"),
            (["next_cursor": "abc", "has_more": true], "next_cursor"), (["nextPageToken": "abc"], "nextPageToken"),
            (["next_page": 2], "next_page"), (["has_more": true], "has_more"), (["nextToken": "t"], "nextToken"),
            (["response_metadata": ["next_cursor": "x="]], "response_metadata.next_cursor"),
            (["pageInfo": ["hasNextPage": true, "endCursor": "x"]], "pageInfo.hasNextPage"),
            (["meta": ["next_page": 2]], "meta.next_page"), (["_links": ["next": 2]], "_links.next"),
            (["_links": ["next": [["href": "/a"], ["href": "/b"]]]], "_links.next"),
            (["links": ["next": [:]]], "links.next"),
            (["@odata.nextLink": ["url": "/b"]], "@odata.nextLink"), (["_links": ["next": [[[]]]]], "_links.next"),
        ] as [(JSON, String)]
    )
    func unknownForms(first: JSON, name: String) async throws {
        let outcome = try await read(first)
        #expect(outcome.items == [1, 2] && outcome.targets == ["/list"])
        #expect(outcome.problem?.kind == .unknownForm)
        #expect(outcome.problem?.reason.contains("\"\(name)\"") == true, "\(outcome)")
        // Who wants one page isn't told about others.
        #expect(try await read(first, most: 1).problem == nil)
    }

    @Test func theErrorSuggestsTheRule() async throws {
        let problem = try await read(["next_cursor": "abc"]).problem
        #expect(problem?.suggestion == .cursor(at: "next_cursor", query: "cursor"))
        #expect(problem?.description.contains(#"try the rule `.cursor(at: "next_cursor", query: "cursor")`"#) == true)
    }

    @Test(
        "a page that says that it is the last is the end, and leaves no doubt",
        arguments: [
            ["next": nil], ["next": ""], ["next": false], ["next": 0], ["next_cursor": nil], ["next_cursor": ""],
            ["has_more": false, "next_cursor": "abc"], ["links": ["next": nil]], ["_links": ["next": nil]],
            ["_links": ["self": ["href": "/list"]]], ["links": ["next": ["href": nil]]], ["paging": ["next": nil]],
            ["total": 2], ["pages": 1], ["nextPageToken": ""], ["_links": ["next": []]],
        ] as [JSON]
    )
    func ends(first: JSON) async throws {
        let outcome = try await read(first)
        #expect(outcome.items == [1, 2] && outcome.problem == nil && outcome.targets.count == 1)
        #expect(outcome.doubt == nil, "\(outcome)")
    }

    @Test(
        "a page that says nothing leaves a doubt about others",
        arguments: [
            ([:], .automatic, .nothingSaid), ([1, 2], .automatic, .nothingSaid),
            (["total": 9], .automatic, .fewer(2, of: 9)),
            (["count": 9], .automatic, .fewer(2, of: 9)), (["count": 2], .automatic, .nothingSaid),
            (["pages": 3], .automatic, .onePage(of: 3)),
            (["items": 7, "id": 1, "tags": [1, 2]], .automatic, .guessed("tags")),
            (["meta": [:]], .cursor(at: "meta.nxt", query: "c"), .missing("meta.nxt")),
            (["meta": ["nxt": nil]], .cursor(at: "meta.nxt", query: "c"), nil),
            ([:], .link(at: "nxt"), .missing("nxt")), ([:], .header("X-Next", query: "p"), .missing("X-Next")),
            ([:], .cursor(ofLast: "id", query: "p", more: "has_mor"), nil), ([:], .odata, nil), ([:], .links, nil),
        ] as [(JSON, PagingRule, PagingRule.Ambiguity?)]
    )
    func doubts(first: JSON, rule: PagingRule, doubt: PagingRule.Ambiguity?) async throws {
        guard case .lastItem = rule.source else {
            let outcome = try await read(first, by: rule)
            #expect(outcome.items == [1, 2] && outcome.problem == nil)
            #expect(outcome.doubt == doubt, "\(outcome)")
            return
        }
        // The items are no objects, so the rule's member is missing before there is any doubt.
        #expect(try await read(first, by: rule).problem?.kind == .invalidCursor)
    }

    @Test func aLinkFieldOfAnyKindSaysThatTheServerKnowsItsPages() async throws {
        let outcome = try await read([1, 2], headers: ["Link": "</list>; rel=first"])
        #expect(outcome.items == [1, 2] && outcome.doubt == nil)
    }

    @Test func membersThatAreMadeForTrapsAreNone() async throws {
        let outcome = try await read([
            "total": .number(.init(Int.max)), "next": .string("/" + String(repeating: "{", count: 9)),
        ])
        #expect(outcome.problem?.kind == .invalidLink)
    }
}
