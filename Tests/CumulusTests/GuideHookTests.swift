// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Synchronization
import Testing

@testable import GuideSnippets

/// The code of the guide's pages on hooks and on watching requests, run.
@Suite(.timeLimit(.minutes(10))) struct GuideHookTests {
    /// Notes the events of calls.
    private final class Steps: Sendable {
        private let state = Mutex<[String]>([])

        var lines: [String] { state.withLock(\.self) }

        func observe(_ event: CallEvent) { state.withLock { $0.append("\(event.kind)") } }
    }

    private let transport: StubTransport
    private let site: Resource

    init() {
        transport = StubTransport { routes in
            routes.on(.get, "/admin", .text("in"))
            routes.on(.get, "/versions/:number") { request in
                .text("one\r\ntwo", headers: ["X-Api-Version": "\(request.parameters["number"] ?? "")"])
            }
            routes.on(.get, "/guarded", .text(")]}',\n{\"stars\":3}"))
            routes.on(.get, "/pictures/:name", .bytes([1, 2, 3], type: .png))
            routes.on(.get, "/old", .response(.found, headers: [.location: "/posts/1"]))
            routes.on(.get, "/posts/:id", .json(["id": 1, "title": "Clouds"]))
        }
        site = Resource("https://api.example.com", transport: transport)
    }

    @Test("The last response is given while the service fails, to whom it was given, and the failure is told")
    func store() async throws {
        let transport = StubTransport { request in
            request.number > 2 ? .response(.serviceUnavailable) : .text(request.headers[.authorization] ?? "nobody")
        }
        let site = Resource("https://api.example.com", transport: transport) {
            $0.responseStore = LastResponses()
            $0.retry = .never
        }
        let ada = site.with { $0.authorizers.append(.bearer("ada")) }
        for _ in 1...2 { _ = try await ada.get() }
        let response = try await ada.get()
        #expect((response.text, response.storeNote) == ("Bearer ada", "hit; stale"))
        #expect(response.attempts.count == 2 && "\(response.attempts[0])".contains("503"))
        #expect(try await site.get().status == .serviceUnavailable)
    }

    @Test("A request that its check refuses is not sent; another one goes out with the check's field")
    func preflight() async throws {
        let isLoggedIn = Mutex(false)
        guardAdmin(of: site) { isLoggedIn.withLock(\.self) }
        let admin = site["admin"]
        let refusal = await #expect(throws: CumulusError.self) { try await admin.get() }
        #expect(refusal?.code == .refused && refusal?.cause is NotLoggedIn && transport.requests.isEmpty)
        isLoggedIn.withLock { $0 = true }
        let answer = try await admin.get()
        #expect(answer.isSuccessful && transport.lastRequest?.headers["X-Checked"] == "yes")
        installSigning(on: site)
        _ = try await site["posts/1"].get()
        #expect(transport.lastRequest?.headers["X-Signature"] == "...")
    }

    @Test("Interceptors, a validator and a post-processor, installed together") func hooks() async throws {
        HookingIn.install(on: site)
        site.setRules { $0.interceptors.append(Numbering(run: "r1").intercept) }
        let text = try await site["versions/2"].get(as: String.self)
        let headers = transport.lastRequest?.headers
        #expect(text == "one\ntwo" && headers?["X-Trace"] == "4711" && headers?["X-Run"] == "r1")
        let refusal = await #expect(throws: CumulusError.self) { try await site["versions/1"].get(as: String.self) }
        #expect(refusal?.cause is WrongVersion)
    }

    @Test("A body is replaced before it is decoded, and values become others, also by way of an actor")
    func conversions() async throws {
        HookingIn.replacing(site)
        let json = try await site["guarded"].get(as: String.self)
        #expect(json == "{\"stars\":3}")
        try await HookingIn.converting(site)
        #expect(transport.requests.count { $0.path == "/pictures/abc123" } == 2)
        let store = Store()
        _ = await store.save("Anvils")
        let saved = try await saving(site["posts"], in: store)
        #expect(saved == 1)
    }

    @Test("Each step of a call is told to its observers; commands for curl are printed without sending")
    func watching() async throws {
        let steps = Steps()
        site.setRules { $0.observers = [CallObserver(steps.observe)] }
        WatchingRequests.logging(site)
        try await WatchingRequests.observing(site)
        #expect(steps.lines.count { $0.hasPrefix("sending") } == 2)
        #expect(steps.lines.count { $0.hasPrefix("ended") } == 1)
        try await WatchingRequests.curl(site)
        #expect(transport.requests.map(\.path) == ["/old", "/posts/1", "/posts/1"])
    }
}
