// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Limits of a server that names next pages: it can't redirect credentials, or keep a run in a cycle.
@Suite struct PageGuardTests {
    /// Reads all items, and returns the requested targets; the stub answers by the absolute URL.
    private func read(
        _ rule: PagingRule = .automatic,
        from url: String = "http://a.example/list",
        setUp: (Resource) -> Void = { _ in },
        answers: [String: StubResponse]
    ) async throws -> (items: [Int], requests: [StubRequest], error: (any Error)?) {
        let transport = StubTransport { answers[$0.url] ?? .status(.notFound) }
        let site = Resource(url, transport: transport.watched) {
            $0.credentials = Credentials(user: "ada", password: "secret")
        }
        setUp(site)
        var items: [Int] = []
        do {
            for try await item in site.pages(of: Int.self, by: rule, headers: ["X-Key": "k"]) { items.append(item) }
        } catch {
            return (items, transport.requests, error)
        }
        return (items, transport.requests, nil)
    }

    private static func page(_ item: Int, next: String? = nil) -> StubResponse {
        .json([.number(.init(item))], headers: next.map { ["Link": "<\($0)>; rel=next"] } ?? [:])
    }

    private func kind(_ error: (any Error)?) -> PagingProblem.Kind? {
        ((error as? CumulusError)?.cause as? PagingProblem)?.kind
    }

    @Test(
        arguments: [
            "http://evil.example/list?key=hidden", "https://a.example/list", "http://a.example:8080/",
            "//evil.example/list?key=hidden", "http://a.example@evil.example/",
        ]
    )
    func aNextPageElsewhereIsAnErrorBehindTheItems(next: String) async throws {
        let read = try await read(answers: ["http://a.example/list": Self.page(1, next: next)])
        #expect(read.items == [1])
        #expect(read.requests.count == 1)
        let error = try #require(read.error as? CumulusError)
        #expect(error.code == .paging)
        let kind = kind(error)
        #expect(kind == .otherOrigin || kind == .invalidLink)
        #expect(!"\(error)".contains("hidden"))
    }

    @Test func aDeclaredOriginGetsNoCredentials() async throws {
        let read = try await read(
            PagingRule.links.leading(to: "https://b.example"),
            answers: [
                "http://a.example/list": Self.page(1, next: "https://b.example/list?page=2"),
                "https://b.example/list?page=2": Self.page(2, next: "?page=3"),
                // Back at the first origin: b.example can't make us send credentials there.
                "https://b.example/list?page=3": Self.page(3, next: "http://a.example/delete-me"),
                "http://a.example/delete-me": Self.page(4),
            ]
        )
        #expect(read.items == [1, 2, 3, 4])
        #expect(read.error == nil)
        #expect(read.requests.map { $0.headers[.authorization] != nil } == [true, false, false, false])
        #expect(read.requests.map { $0.headers["X-Key"] != nil } == [true, false, false, false])
    }

    @Test func anAnswerThatARedirectBroughtFromElsewhereDoesNotLeadBackWithCredentials() async throws {
        let read = try await read(
            answers: [
                "http://a.example/list": .status(.found, headers: ["Location": "http://b.example/list"]),
                "http://b.example/list": Self.page(1, next: "http://a.example/private"),
                "http://a.example/private": Self.page(2, next: "/list2"),
                "http://a.example/list2": Self.page(3),
            ]
        )
        #expect(read.items == [1, 2, 3])
        #expect(read.requests.map { $0.headers[.authorization] != nil } == [true, false, false, false])
    }

    @Test func linksAreResolvedAgainstTheAnswersURL() async throws {
        let read = try await read(
            answers: [
                "http://a.example/list": .status(.found, headers: ["Location": "/v2/items/"]),
                "http://a.example/v2/items/": Self.page(1, next: "next"),
                "http://a.example/v2/items/next": Self.page(2, next: "../3?x=1#y"),
                "http://a.example/v2/3?x=1": Self.page(3),
            ]
        )
        #expect(read.items == [1, 2, 3])
        #expect(read.requests.allSatisfy { $0.headers[.authorization] != nil })
    }

    @Test func aCursorIsSentToThePlaceThatRedirects() async throws {
        let transport = StubTransport { request in
            if request.path == "/list" {
                return .status(.found, headers: ["Location": "/once/\(request.query ?? "")"])
            }
            return .json(["data": [1], "cursor": request.path == "/once/" ? "c" : ""])
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let pages = site["list"].pages(of: Int.self, by: .cursor(at: "cursor", query: "after"))
        for try await page in pages.byPage where page.number == 1 { #expect(page.next?.target == "/list?after=c") }
        #expect(transport.requests.map(\.request.target) == ["/list", "/once/", "/list?after=c", "/once/after=c"])
    }

    @Test(arguments: ["http://a.example/list", "/list", "?page=2", "#top"])
    func aCircleIsAnError(next: String) async throws {
        let read = try await read(
            answers: [
                "http://a.example/list": Self.page(1, next: "?page=2"),
                "http://a.example/list?page=2": Self.page(2, next: next),
            ]
        )
        #expect(read.items == [1, 2])
        #expect(kind(read.error) == .loop)
        #expect(read.requests.count == 2)
    }

    @Test func aCursorThatStaysTheSameIsACircle() async throws {
        let transport = StubTransport { _ in .json(["data": [1], "cursor": "again"]) }
        let site = Resource("http://a.example", transport: transport.watched)
        let pages = site.pages(of: Int.self, by: .cursor(at: "cursor", query: "after"))
        let error = try await failure { for try await _ in pages {} }
        #expect(kind(error) == .loop)
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [(3, 3), (1, 1), (0, 0), (-1, 0)])
    func noMorePagesAreAskedForThanWanted(limit: Int, count: Int) async throws {
        let transport = StubTransport { request in Self.page(1, next: "?page=\(request.number + 1)") }
        let site = Resource("http://a.example", transport: transport.watched)
        var pages = 0
        for try await _ in site.pages(of: Int.self, maxPages: limit).byPage { pages += 1 }
        #expect(pages == count)
        #expect(transport.requests.count == count)
    }

    @Test(arguments: [nil, 150] as [Int?])
    func pagesWithoutItemsEndSomewhere(limit: Int?) async throws {
        let transport = StubTransport { request in
            .json(["data": [], "cursor": .string("c\(request.number)")] as JSON)
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let pages = site.pages(of: Int.self, by: .cursor(at: "cursor", query: "after"), maxPages: limit)
        guard limit == nil else {
            for try await _ in pages {}
            #expect(transport.requests.count == limit)
            return
        }
        let error = try await failure { for try await _ in pages {} }
        #expect(kind(error) == .emptyPages)
        #expect(transport.requests.count == 100)
    }

    @Test func emptyPagesBetweenOthersAreNoProblem() async throws {
        let transport = StubTransport { request in
            let number = request.number
            let cursor: JSON = number < 299 ? .string("c\(number)") : .null
            return .json(["data": number % 90 == 89 ? [1] : [], "cursor": cursor] as JSON)
        }
        let site = Resource("http://a.example", transport: transport.watched)
        var count = 0
        for try await _ in site.pages(of: Int.self, by: .cursor(at: "cursor", query: "after")) { count += 1 }
        #expect(count == 3)
    }

    @Test func placesThatAreNowhereAreAnError() async throws {
        let site = Resource("no URL", transport: StubTransport { _ in .json([]) }.watched)
        let error = try await failure { for try await _ in site.pages(of: Int.self) {} }
        #expect(error.code == .invalidURL)
    }
}
