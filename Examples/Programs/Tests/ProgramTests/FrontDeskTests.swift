// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import CumulusTesting
import FrontDesk
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryTracing
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Tracing

/// What a server must pass on, and the order of its end.
@Suite(.timeLimit(.minutes(5))) struct FrontDeskTests {
    private let users = StubTransport { _ in .json(["name": "Ada"]) }
    private let posts = StubTransport { _ in .json(["Notes"]) }

    private var desk: FrontDesk {
        FrontDesk(
            users: Resource("http://users.example", transport: users),
            posts: Resource("http://posts.example", transport: posts)
        )
    }

    /// Sends requests for the page, one after the other, each with its fields; returns the statuses.
    private func statuses(of requests: [HTTPFields]) async throws -> [HTTPResponse.Status] {
        try await Application(router: desk.router()).test(.router) { client in
            var statuses: [HTTPResponse.Status] = []
            for headers in requests {
                let status = try await client.execute(uri: "/people/ada", method: .get, headers: headers) { $0.status }
                statuses.append(status)
            }
            return statuses
        }
    }

    @Test func credentialsBelongToOneRequest() async throws {
        let users: [HTTPFields] = [[.authorization: "Bearer t1"], [:], [.authorization: "bearer t2"]]
        #expect(try await statuses(of: users) == [.ok, .ok, .ok])
        for transport in [self.users, posts] {
            #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t1", nil, "Bearer t2"])
        }
    }

    @Test func deadlineIsNoLaterThanTheCallers() async throws {
        let prefer = try #require(HTTPField.Name("Prefer"))
        let waits = ["wait=1", "respond-async, wait=1; a=b", "respond-async, Wait=1", "wait=60", "wait=-1", "wait=x"]
        let requests: [HTTPFields] = waits.map { [prefer: $0] }
        #expect(try await statuses(of: requests) == [.ok, .ok, .ok, .ok, .ok, .ok])
        let deadlines = users.requests.map(\.request.deadlines.whole)
        #expect(deadlines == [1, 1, 1, 2, 2, 2].map { .seconds($0) })
        #expect(posts.requests.map(\.request.deadlines.whole) == waits.map { _ in .milliseconds(800) })
        #expect(try await statuses(of: [[prefer: "wait=0"]]) == [.gatewayTimeout])
    }

    @Test func traceIsContinued() async throws {
        let tracer = InMemoryTracer()
        let traceID = try #require(HTTPField.Name(InMemoryTracer.traceIDKey))
        let spanID = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
        let seen = try await withTracer(tracer) {
            try await statuses(of: [[traceID: "trace-7", spanID: "span-7"], [:]])
        }
        #expect(seen == [.ok, .ok])
        for transport in [users, posts] {
            #expect(transport.requests.first?.headers[traceID] == "trace-7")
            #expect(transport.requests.last?.headers[traceID] != "trace-7")
        }
        let spans = tracer.finishedSpans.filter { $0.traceID == "trace-7" }
        let server = try #require(spans.first { $0.kind == .server })
        #expect(server.parentSpanID == "span-7")
        #expect(spans.filter { $0.kind == .client }.map(\.parentSpanID) == [server.spanID, server.spanID])
    }

    /// Passes requests for a page on when a gate is open.
    private struct HeldResponder<Base: HTTPResponder>: HTTPResponder {
        let base: Base
        let gate: Gate

        @concurrent func respond(to request: Request, context: Base.Context) async throws -> Hummingbird.Response {
            if request.uri.path != "/health" { try await gate.wait() }
            return try await base.respond(to: request, context: context)
        }
    }

    @Test func serverEndsBeforeItsClients() async throws {
        let (gate, port) = (Gate(), AsyncStream.makeStream(of: Int.self))
        let ends = Mutex(0)
        let trees = (
            Resource("http://users.example", transport: users), Resource("http://posts.example", transport: posts)
        )
        let desk = FrontDesk(users: trees.0, posts: trees.1) { ends.withLock { $0 += 1 } }
        let server = Application(
            responder: HeldResponder(base: desk.router().buildResponder(), gate: gate),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            services: desk.services,
            onServerRunning: { channel in port.continuation.yield(channel.localAddress?.port ?? 0) }
        )
        let group = ServiceGroup(services: [server], logger: Logger(label: "test"))
        try await NIOTransport.withTransport { transport in
            async let run: Void = group.run()
            let number = try #require(await port.stream.first { _ in true })
            let site = Resource("http://127.0.0.1:\(number)", transport: transport)
            site.setRules { $0.retry = .never }
            let page = site["people/ada"].call(.get, as: FrontDesk.Page.self).start()
            while gate.waiterCount == 0 { await Task.yield() }
            await group.triggerGracefulShutdown()
            // The server accepts no connection from here on, but the request that it has may use both clients.
            while (try? await site["health"].get()) != nil {}
            #expect(ends.withLock(\.self) == 0)
            gate.open()
            let whole = try await page.value
            #expect(whole.name == "Ada" && whole.titles == ["Notes"] && !whole.isShort)
            try await run
        }
        #expect(ends.withLock(\.self) == 1)
        for tree in [trees.0, trees.1] {
            let late = try #require(await #expect(throws: CumulusError.self) { try await tree.get() })
            #expect(late.code == .shutdown)
        }
    }
}
