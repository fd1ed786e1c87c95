// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import CumulusTesting
import Foundation
import Synchronization
import Testing

@testable import GuideSnippets

/// The guide's recipes, run.
@Suite(.timeLimit(.minutes(10))) struct RecipeTests {
    @Test("Tokens: ten concurrent requests cause one sign-in, and so does a token that the service forgets")
    func tokens() async throws {
        let signIns = Mutex(0)
        try await withLoopbackServer(routes: { routes in
            routes.post("/sign-in") { request in
                let key = try JSON(parsing: request.body)["key"].string
                let number = signIns.withLock { count in
                    count += 1
                    return count
                }
                return key == "k1" ? .json(["token": "t\(number)", "seconds": 60]) : .status(.forbidden)
            }
            routes.get("/notes/:id") { request in
                let current = signIns.withLock { "Bearer t\($0)" }
                let isKnown = request.headers[.authorization] == current
                return isKnown ? .text("note \(request.parameters["id"] ?? "")") : .status(.unauthorized)
            }
        }) { server in
            let site = sendingTokens(to: Resource(server.url), key: "k1")
            let first = try await titles(of: Array(1...10), at: site)
            #expect(first.count == 10 && first.contains("note 7") && signIns.withLock(\.self) == 1)
            signIns.withLock { $0 += 1 }  // the previous token is no longer valid
            let second = try await titles(of: Array(1...10), at: site)
            #expect(second == first && signIns.withLock(\.self) == 3)
        }
    }

    @Test("Retries: 503 is retried, and a POST with its key is carried out only once") func retries() async throws {
        let keys = Mutex<[String?]>([])
        try await withLoopbackServer(routes: { routes in
            let reports = Mutex(0)
            routes.get("/report") { _ in
                let number = reports.withLock { count in
                    count += 1
                    return count
                }
                return number < 4
                    ? .text("busy", status: .serviceUnavailable, headers: ["Retry-After-Ms": "1"]) : .text("done")
            }
            routes.post("/orders") { request in
                let sent = keys.withLock { keys in
                    keys.append(request.headers["Idempotency-Key"])
                    return keys.count
                }
                return .status(sent == 1 ? .serviceUnavailable : .created, headers: ["Retry-After-Ms": "1"])
            }
        }) { server in
            let report = try await reportThatMayFail(at: Resource(server.url))
            #expect(report.text == "done" && report.attempts.count == 4)
            let order = try await orderOnce(at: Resource(server.url))
            let sent = keys.withLock(\.self)
            #expect(order.status == .created && sent.count == 2 && sent[0] != nil && sent[0] == sent[1])
        }
    }

    @Test("Paging: with Link fields to the end, with cursors as far as wanted") func paging() async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/tickets") { request in
                let number = Int(request.queryValue("page") ?? "1") ?? 1
                let link = "</tickets?state=open&page=\(number + 1)>; rel=\"next\""
                let next: Headers = number < 3 ? ["Link": "\(link)"] : [:]
                return .json([Ticket(id: number, title: "\(request.queryValue("state") ?? "")")], headers: next)
            }
            routes.get("/log") { request in
                let first = Int(request.queryValue("cursor") ?? "1") ?? 1
                let tickets = (first..<first + 2).map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",")
                return .json(#"{"data":[\#(tickets)],"meta":{"next":"\#(first + 2)"}}"#)
            }
        }) { server in
            let open = try await openTickets(at: Resource(server.url))
            #expect(open.map(\.id) == [1, 2, 3] && open.allSatisfy { $0.title == "open" })
            let newest = try await newestTickets(3, at: Resource(server.url))
            #expect(newest.map(\.id) == [1, 2, 3])
        }
    }

    @Test("A store: shows songs or a problem, and a newer search ends the one before") @MainActor
    func store() async throws {
        let begun = Gate()
        let transport = StubTransport { routes in
            routes.on(.get, "/songs") { request in
                switch request.query {
                case "q=slow":
                    begun.open()
                    return StubResponse.json([Song(id: 9, name: "late")]).delayed(by: .seconds(3_000))
                case "q=bad": return .status(.internalServerError)
                default: return .json([Song(id: 1, name: "Rain")])
                }
            }
        }
        let site = Resource("https://api.example.com", transport: transport) {
            $0.retry = .never
            $0.timeout = nil
        }
        let store = SongStore(site: site)
        await store.load(matching: "rain")
        #expect(store.songs.map(\.name) == ["Rain"] && store.problem == nil && !store.isLoading)
        await store.load(matching: "bad")
        #expect(store.problem?.contains("500") == true && store.songs.count == 1)
        let slow = Task { await store.load(matching: "slow") }
        try await begun.wait()
        #expect(store.isLoading)
        await store.load(matching: "rain")
        await slow.value  // it was replaced, so it ends
        #expect(store.problem == nil && store.songs.map(\.name) == ["Rain"] && !store.isLoading)
    }

    @Test("Entity tags: an unchanged list is not sent twice, and no change is lost") func entityTags() async throws {
        let page = Mutex((version: 1, text: #"{"title":"Rain","lines":["one"],"owner":"Ada"}"#))
        try await withLoopbackServer(routes: { routes in
            routes.get("/headlines") { request in
                let isKnown = request.headers[.ifNoneMatch] == "\"h1\""
                return isKnown
                    ? .status(.notModified, headers: ["ETag": "\"h1\""])
                    : .json(["Rain"], headers: ["ETag": "\"h1\""])
            }
            routes.get("/page") { _ in
                let (version, text) = page.withLock(\.self)
                // Someone else writes after the first reader.
                if version == 1 { page.withLock { $0 = (2, text.replacingOccurrences(of: "one", with: "zero")) } }
                return .json(text, headers: ["ETag": "\"v\(version)\""])
            }
            routes.patch("/page") { request in
                let patch = try JSON(parsing: request.body)
                return try page.withLock { page in
                    guard request.headers[.ifMatch] == "\"v\(page.version)\"" else {
                        return .status(.preconditionFailed)
                    }
                    page = (page.version + 1, "\(try JSON(parsing: page.text).applying(mergePatch: patch))")
                    return .status(.noContent)
                }
            }
        }) { server in
            let headlines = Headlines(site: Resource(server.url))
            holds(try await headlines.current() == ["Rain"])
            holds(try await headlines.current() == ["Rain"])
            #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"h1\""])
            try await addLine("two", to: Resource(server.url)["page"])
            #expect(page.withLock(\.text) == #"{"title":"Rain","lines":["zero","two"],"owner":"Ada"}"#)
        }
    }

    @Test("Error bodies: the service's own error is thrown as your own type") func errorBodies() async throws {
        let refusal = #"{"code":"sold_out","message":"None is left","fields":{"item":"7"}}"#
        let transport = StubTransport { routes in
            routes.on(
                .post,
                "/orders",
                .json(refusal, status: .conflict),
                .text("?", status: .badGateway),
                .json(["item": 7])
            )
        }
        let site = Resource("https://shop.example.com", transport: transport)
        let shop = Shop(site: site)
        let thrown = await #expect(throws: ShopRefusal.self) { try await shop.order(7) }
        #expect(thrown?.code == "sold_out" && thrown?.fields == ["item": "7"])
        let other = await #expect(throws: CumulusError.self) { try await shop.order(7) }
        #expect(other?.statusCode == 502)
        holds(try await shop.order(7).item == 7)
    }
}
