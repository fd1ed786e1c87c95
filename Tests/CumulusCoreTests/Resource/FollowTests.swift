// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// Links, the only way out of a tree.
@Suite struct FollowTests {
    private let echo = Echo("https://api.example.com/v1/posts?token=t")

    @Test(arguments: [
        ("?page=2", "https://api.example.com/v1/posts?token=t&page=2"),
        ("/other", "https://api.example.com/other?token=t"),
        ("next", "https://api.example.com/v1/next?token=t"),
        ("../up", "https://api.example.com/up?token=t"),
        ("https://api.example.com/x?token=u", "https://api.example.com/x?token=u"),
    ])
    func resolvesLinksOfTheSameOrigin(link: String, url: String) { #expect(echo.site.follow(link).urlString == url) }

    @Test("another origin gets no secrets, not even those set later")
    func anotherOriginGetsNoSecrets() async throws {
        echo.site.setRules { $0.credentials = Credentials(user: "ada", password: "pw") }
        let away = echo.site.follow("https://cdn.example.com/file")
        echo.site.setRules {
            $0.headers["X-Api-Key"] = "k"
            $0.headers[.accept] = "text/plain"
        }
        try await away.get().requireSuccess()
        let sent = try #require(echo.transport.lastRequest)
        #expect(sent.url == "https://cdn.example.com/file")
        #expect(sent.headers[.authorization] == nil)
        #expect(sent.headers["X-Api-Key"] == nil)
        #expect(sent.headers[.accept] == "text/plain")
    }

    @Test func theSameOriginKeepsSecrets() async throws {
        echo.site.setRules { $0.credentials = Credentials(user: "ada", password: "pw") }
        try await echo.site.follow("/v1/more").get().requireSuccess()
        #expect(echo.transport.lastRequest?.headers[.authorization] == "Basic YWRhOnB3")
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "ftp://a/b", "https://"])
    func refusesLinksToElsewhere(link: String) async {
        do {
            _ = try await echo.site.follow(link).get()
            Issue.record("\(link) was followed")
        } catch {
            #expect((error as? CumulusError)?.code == .invalidURL)
        }
        #expect(echo.transport.requests.isEmpty)
    }

    @Test func aLinksQueryBelongsToItAlone() async throws {
        let first = echo.site.follow("/items?cursor=a&prev=1")
        let second = first.follow("?cursor=b")
        #expect(second.urlString == "https://api.example.com/items?token=t&cursor=b")
    }

    @Test func aLongChainOfPagesStaysShort() async throws {
        var page = echo.site
        for number in 0..<200 { page = page.follow("?page=\(number)") }
        try await page.get().requireSuccess()
        #expect(echo.transport.lastRequest?.query == "token=t&page=199")
        #expect(page.explain(\.query).contributions.count == 2)
    }
}
