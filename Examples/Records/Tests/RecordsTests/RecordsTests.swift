// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import GRDB
import Records
import Testing

/// Records on their way from a service into a database and on to the caller.
@Suite(.timeLimit(.minutes(10))) struct RecordsTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try database.write { try Post.createTable(in: $0) }
    }

    private func kept() async throws -> [Post] {
        try await database.read { try Post.order(sql: "id").fetchAll($0) }
    }

    private func withBlog(hooked: Bool = true, _ work: (Resource) async throws -> Void) async throws {
        let routes: @Sendable (inout Routes) -> Void = { routes in
            routes.get("/posts") { request in
                request.queryValue("page") == "2"
                    ? .json(#"[{"id":3,"title":"Dew"}]"#)
                    : ServerResponse(
                        headers: [.contentType: "application/json", .location: "/posts?page=2"],
                        body: Array(#"[{"id":1,"title":"Anvils"},{"id":2,"title":"Clouds"}]"#.utf8)
                    )
            }
            routes.get("/posts/1") { _ in .json(#"{"id":1,"title":"Anvils again"}"#) }
            routes.get("/twins") { _ in .json(#"[{"id":8,"title":"Fog"},{"id":9,"title":"Fog"}]"#) }
            routes.get("/count") { _ in .json("3") }
        }
        try await withLoopbackServer(routes: routes) { server in
            let site = Resource(server.url) { $0.paging = .header("Location") }
            if hooked { site.setRules { $0.postProcessors.append(database.saving(Post.self)) } }
            try await work(site)
        }
    }

    @Test func hookOfOnePathSavesItsRecords() async throws {
        try await withBlog(hooked: false) { site in
            // snippet.install
            site["posts"].setRules { $0.postProcessors.append(database.saving(Post.self)) }
            // snippet.end
            _ = try await site["twins"].get(as: [Post].self)
            #expect(try await kept().isEmpty)

            // snippet.use
            let post = try await site["posts/1"].get(as: Post.self)  // saved
            for try await post in site["posts"].pages(of: Post.self) {  // each page is saved as it arrives
                print(post.title)
            }
            // snippet.end
            #expect(post == Post(id: 1, title: "Anvils again"))
            #expect(try await kept().map(\.title) == ["Anvils", "Clouds", "Dew"])
        }
    }

    @Test func aRecordIsSavedAndHandedOn() async throws {
        try await withBlog { site in
            let post = try await site["posts/1"].get(as: Post.self)
            #expect(post == Post(id: 1, title: "Anvils again"))
            #expect(try await kept() == [post])
        }
    }

    @Test func aNewerRecordTakesTheOlderOnesPlace() async throws {
        try await withBlog { site in
            let posts = try await site["posts"].get(as: [Post].self)
            #expect(try await kept() == posts)
            _ = try await site["posts/1"].get(as: Post.self)
            #expect(try await kept() == [Post(id: 1, title: "Anvils again"), Post(id: 2, title: "Clouds")])
        }
    }

    @Test func eachPageOfAListIsSavedAsItComes() async throws {
        try await withBlog { site in
            let pages = site["posts"].pages(of: Post.self, prefetches: false)
            var counts: [Int] = []
            for try await page in pages.byPage {
                counts.append(try await kept().count)
                #expect(!page.items.isEmpty)
            }
            #expect(counts == [2, 3])
        }
    }

    @Test func aListIsSavedAsAWholeOrNotAtAll() async throws {
        try await withBlog { site in
            do {
                _ = try await site["twins"].get(as: [Post].self)
                Issue.record("two posts of one title were saved")
            } catch let error as CumulusError {
                #expect(error.code == .postProcessing)
                #expect(error.cause is DatabaseError)
            }
            #expect(try await kept().isEmpty)
        }
    }

    @Test func otherValuesPass() async throws {
        try await withBlog { site in
            let count = try await site["count"].get(as: Int.self)
            #expect(count == 3)
            #expect(try await kept().isEmpty)
        }
    }
}
