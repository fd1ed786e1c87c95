// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The public surface in use, as a program that has only the modules sees it.
@Suite(.timeLimit(.minutes(10))) struct SurfaceTests {
    private let transport = StubTransport { request in
        switch (request.method, request.path) {
        case (.get, "/posts/42"): .response(.notFound)
        case (.get, "/log"): .text("one\ntwo\n")
        case (.get, "/posts"), (.get, "/drafts"): .json([Post(id: 1, title: "Clouds")])
        case (.get, "/repos/swiftlang/swift/issues"): .json([Issue(title: "open")])
        case (.get, "/search/issues"): .json(Search(items: [Issue(title: "found")]))
        case (.post, "/posts"): .json(Post(id: 2, title: request.text.contains("xada") ? "xada" : "made"))
        case (.post, "/repos/a/b/issues"): .json(Issue(title: "made"))
        case (.get, "/maintenance"): .text("maintenance")
        default: .response(.ok)
        }
    }

    private var site: Resource {
        Resource("https://api.example.com", transport: transport) {
            $0.timeout = .seconds(20)
            $0.headers[.userAgent] = "Atlas/2.1"
            $0.query["token"] = "abc"
            $0.authorizers = [.bearer("secret")]
            $0.maxConcurrentRequests = 10
        }
    }

    @Test func theFirstScreenDoesWhatItSays() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/cumulus-\(UUID()).png"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (shown, show) = AsyncStream.makeStream(of: Int?.self)
        let seen = try await firstScreen(of: site, name: "ada", file: path) { show.yield(try? $0.get().count) }
        #expect(seen.prefix(5) == ["1", "made", "xada", "true", "1"])
        #expect(seen[5].hasPrefix("curl ") && !seen[5].contains("secret"))
        #expect(seen[6] == "5 requests each 1 s, 1 at once")
        #expect(seen[7...] == ["2", "1", "https://api.example.com/users/ada/repos?token=abc", "60.0 seconds", "none"])
        #expect(await shown.first { _ in true } == 1)
        let put = try #require(transport.requests.first { $0.method == .put })
        #expect(put.body == [1, 2, 3] && put.headers[.contentType] == "image/png")
    }

    @Test func twoUsersCredentialsNeverMeet() async throws {
        let handler = FeedRoute(api: site)
        let accounts = ["a", "b"].map { Account(token: Secret($0), jar: CookieJar()) }
        #expect(try await handler.many(accounts) == 4)
        let proofs = transport.requests.compactMap { $0.headers[.authorization] }
        #expect(proofs.sorted() == ["Bearer a", "Bearer a", "Bearer b", "Bearer b"])
    }

    @MainActor @Test func aViewModelHoldsARunningCall() async throws {
        let feed = Feed(site)
        feed.reload()
        try await feed.reloaded()
        await feed.refresh()
        #expect(feed.posts == [Post(id: 1, title: "Clouds")] && feed.failure == nil)
        try await feed.search("x y")
        #expect(transport.lastRequest?.url == "https://api.example.com/posts?token=abc&q=x%20y")
    }

    @Test func anSDKReturnsCalls() async throws {
        let forge = Forge(transport: transport).authorized(by: "t")
        var call = forge.issues("swiftlang", "swift", state: "open").with { $0.retry = .never }
        call.headers["X-Trace"] = "1"
        #expect(try await call.send().map(\.title) == ["open"])
        #expect(transport.lastRequest?.headers["X-Trace"] == "1")
        #expect(transport.lastRequest?.headers[.authorization] == "Bearer t")
        #expect(try await forge.search("x").send().map(\.title) == ["found"])
        #expect(try await forge.create(Issue(title: "new"), in: "a/b").send().title == "made")
    }

    @Test func settingsAndHooksOfOnesOwn() async throws {
        let site = site
        house(site, tracer: Tracer())
        #expect(site["posts"].region == "us")
        try await site["posts"].get().requireSuccess()
        #expect(transport.lastRequest?.headers["X-Trace"] == "1")
        #expect(transport.lastRequest?.headers["X-Region"] == "us")
        let error = await #expect(throws: CumulusError.self) { try await site["maintenance"].get() }
        #expect(error?.cause is Maintenance)
    }

    @Test func whatADoubleReturnsCanBeMade() throws {
        let response = try Response(404, headers: ["X-Total-Count": "2"], body: ["message": "no such post"])
        #expect(response.status == .notFound && response.headers[.contentType] == "application/json")
        #expect(try response.json()["message"].string == "no such post")
        #expect(response.header("X-Total-Count") == "2" && response.isBodyComplete)
        #expect(throws: CumulusError.self) { try response.requireSuccess() }
        #expect(try Response(headers: [.contentType: "image/png"]).headers[.contentType] == "image/png")
        #expect(try Response(headers: [.contentType: "a/b"], body: .text("x")).headers[.contentType] == "a/b")
        #expect(throws: CumulusError.self) { try Response(body: .file("/nowhere")) }
        let page = Pages.Page(items: [1, 2], response: response, next: try RequestURL("https://a.example/?page=2"))
        #expect(page.items == [1, 2] && page.number == 1 && page.next?.description == "https://a.example/?page=2")
        let file = DownloadedFile(path: "/tmp/a.png", byteCount: 3)
        #expect(file.url.path == "/tmp/a.png" && !file.isTemporary && file.response == nil)
        #expect(TransferProgress(.receiving, completed: 5, of: 10).fractionCompleted == 0.5)
    }
}
