// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Dispatch
import Testing

@testable import GuideSnippets

/// The code of the guide's pages on controlling requests and on raw ones, run.
@Suite(.timeLimit(.minutes(10))) struct GuideRequestTests {
    private func withSite(_ body: (Resource, LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(routes: { routes in
            let post = Post(id: 1, title: "Clouds")
            routes.get("/posts") { _ in .json([post]) }
            routes.get("/posts/newest") { _ in .json(post) }
            routes.get("/drafts") { _ in .json([Post]()) }
            routes.get("/users/:id") { _ in .json(["name": "Ada"]) }
            routes.get("/me") { _ in .json(["name": "Ada"]) }
            routes.post("/photos") { request in .text("\(request.body.count) bytes") }
        }) { server in try await body(Resource(server.url), server) }
    }

    @Test("Requests are prepared, chained and started; all that run can be ended together")
    func preparing() async throws {
        try await withSite { site, server in
            try await ControllingRequests.control(site)
            // A request that was just started may come to the list a moment later.
            repeat {
                site.cancelAll()
                await site.waitUntilIdle()
            } while !site.runningCalls.isEmpty
            holds(server.requests.contains { $0.target == "/posts/newest?of=1" })
        }
    }

    @Test("Limits, groups, values, scopes and progress; a place that is closed sends nothing more")
    func groups() async throws {
        try await withSite { site, server in
            try await ControllingRequests.control(many: site)
            holds(server.requests.count { $0.path.hasPrefix("/users/") } == 3)
            holds(server.requests.contains { $0.path == "/photos" && $0.body.count == 1 << 20 })
            let refusal = await #expect(throws: CumulusError.self) { try await site.get() }
            holds(refusal?.code == .shutdown)
        }
    }

    @Test("A thread of your own may wait for a request; a task, whose thread others may need, is refused")
    func waiting() async throws {
        try await withSite { site, _ in
            let found = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<[String], any Error>) in
                DispatchQueue.global().async { continuation.resume(with: Result { try titles(site) }) }
            }
            holds(found == ["Clouds"])
            let refusal = #expect(throws: CumulusError.self) { try titles(site) }
            holds(refusal?.code == .wouldDeadlock)
        }
    }

    @Test("A raw request is sent with a place's settings") func raw() async throws {
        try await withSite { site, server in
            site.setRules { $0.headers["X-Client"] = "guide" }
            let authority = "127.0.0.1:\(server.port)"
            let answers = try await RawRequests.raw(site, at: authority)
            holds(answers.map(\.isSuccessful) == [true])
            holds(server.requests.map { $0.headers["X-Client"] } == ["guide"])
            holds(server.requests.allSatisfy { $0.target == "/posts?limit=1" })
        }
    }
}
