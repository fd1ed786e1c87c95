// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import CumulusTesting
import Foundation
import FrontDesk
import Hummingbird
import HummingbirdTesting
import Journal
import NIOCore
import Shelf
import Testing

/// The three programs, against servers on loopback.
@Suite(.timeLimit(.minutes(10))) struct ProgramTests {
    @Test("The tool lists pages, fetches a text, and exits as it should") func tool() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-shelf-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await LoopbackServer.start { routes in
            routes.get("/books") { request in
                let page = Int(request.queryValue("page") ?? "1") ?? 1
                let next: Headers = page < 3 ? ["Link": "</books?page=\(page + 1)>; rel=\"next\""] : [:]
                return .json(#"[{"id":\#(page),"title":"Part \#(page)"}]"#, headers: next)
            }
            routes.get("/books/1/text") { request in
                request.headers[.authorization] == "Bearer t1" ? .text("Once upon a time") : .status(.unauthorized)
            }
        }
        let shelf = Shelf(site: Resource(server.url), token: "t1")
        var lines: [String] = []
        let list = try #require(ShelfCommand(["list", "2"]))
        #expect(await list.run(on: shelf) { lines.append($0) } == 0)
        #expect(lines == ["1\tPart 1", "2\tPart 2"])
        let file = folder.appending(path: "one.txt").path
        #expect(await ShelfCommand.get(id: 1, file: file).run(on: shelf) { lines.append($0) } == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "Once upon a time")
        #expect(await ShelfCommand.get(id: 9, file: file).run(on: shelf) { lines.append($0) } == 1)
        #expect(lines.last == "there is no such book")
        #expect(ShelfCommand(["get", "x", "y"]) == nil && ShelfCommand([]) == nil)
        await server.shutdown()
        #expect(await list.run(on: shelf) { lines.append($0) } == 75)
    }

    @Test("The server asks both, retries, does without the titles, and passes failures on") func server() async throws {
        let users = StubTransport { routes in
            routes.on(.get, "/users/ada", .status(.serviceUnavailable), .json(["name": "Ada Lovelace"]))
            routes.on(.get, "/users/*", .status(.notFound))
        }
        let posts = StubTransport { routes in
            routes.on(.get, "/posts", .json(["Notes"]), .status(.badRequest))
        }
        let desk = FrontDesk(
            users: Resource("http://users.example", transport: users),
            posts: Resource("http://posts.example", transport: posts)
        )
        let application = Application(router: desk.router())
        try await application.test(.router) { client in
            func page(_ id: String) async throws -> (HTTPResponse.Status, FrontDesk.Page?) {
                try await client.execute(uri: "/people/\(id)", method: .get) { response in
                    let body = Data(response.body.readableBytesView)
                    return (response.status, try? JSONDecoder().decode(FrontDesk.Page.self, from: body))
                }
            }
            let whole = try await page("ada")
            #expect(whole.1?.name == "Ada Lovelace" && whole.1?.titles == ["Notes"] && whole.1?.isShort == false)
            #expect(users.requests.count == 2)
            let short = try await page("ada")
            #expect(short.1?.isShort == true && short.1?.titles == [])
            let nobody = try await page("bob")
            #expect(nobody.0 == .notFound)
            let health = try await client.execute(uri: "/health", method: .get) { $0.status }
            #expect(health == .noContent)
        }
    }

    @Test("The app shows entries, adds one, and tells what went wrong") @MainActor func app() async throws {
        let site = Resource("https://journal.example.com") {
            $0.fixtures = [
                "GET /entries": .sequence([.json([JournalEntry("Rain")]), .status(.internalServerError)]),
                "POST /entries": .json(#"{"id":2,"text":"Sun"}"#, status: .created),
            ]
            $0.fixtureUse = .only
            $0.retry = .never
        }
        let store = JournalStore(site: site)
        await store.load()
        await store.add("Sun")
        #expect(store.entries.map(\.text) == ["Sun", "Rain"] && store.entries.first?.id == 2 && store.problem == nil)
        await store.load()
        #expect(store.problem?.contains("500") == true && store.entries.count == 2)
    }
}
