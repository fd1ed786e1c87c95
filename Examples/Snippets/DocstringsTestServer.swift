// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer

/// The samples in docstrings of the test server.
enum DocstringsTestServer {
    static func practice() async throws {
        // snippet.practice
        let server = try await LoopbackServer.start { PracticeService().install(in: &$0) }
        let item = try await Resource(server.url)["test/get/item"].get(as: JSON.self)
        // snippet.end
        print(item)
    }

    static func digest(field: String?) {
        // snippet.digest
        let space = DigestSpace(user: "ada", password: "lovelace")
        let result = space.judge(method: "GET", target: "/me", authorization: field)
        if case .refused(let challenges) = result { print(challenges) }
        // snippet.end
    }

    static func digestRoute(routes: inout Routes) {
        // snippet.digest-route
        let space = DigestSpace(user: "ada", password: "lovelace")
        routes.get("/vault") { request in space.respond(to: request) { .text("the secret") } }
        // snippet.end
    }

    static func objectStore() async throws -> LoopbackServer {
        // snippet.object-store
        let bucket = LoopbackObjectStore(key: "ada", secret: "lovelace")
        let server = try await LoopbackServer.start { bucket.install(in: &$0, at: "photos") }
        // snippet.end
        return server
    }

    static func body(_ body: IncomingBody) async throws -> Int {
        var count = 0
        // snippet.body
        for try await piece in body { count += piece.count }
        // snippet.end
        return count
    }
}
