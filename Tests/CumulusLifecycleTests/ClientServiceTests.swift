// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusLifecycle
import CumulusNIO
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

/// A graceful shutdown waits for running calls, but not for longer than its limit.
@Suite(.timeLimit(.minutes(5))) struct ClientServiceTests {
    /// A resource whose calls wait for a gate.
    private struct HeldSite {
        let gate = Gate()
        let clock = ManualClock()
        let site: Resource

        init() {
            let transport = StubTransport { [gate] _ in
                try await gate.wait()
                return .text("done")
            }
            site = Resource("https://a.example", transport: transport)
            site.setRules { [clock] in $0.clock = clock }
        }
    }

    /// Notes that the transport was ended.
    private final class EndNote: Sendable {
        private let count = Mutex(0)
        var number: Int { count.withLock(\.self) }
        func note() { count.withLock { $0 += 1 } }
    }

    @Test func runningCallMayFinish() async throws {
        let (held, note) = (HeldSite(), EndNote())
        let service = ClientService(held.site, limit: .seconds(5)) { note.note() }
        let call = held.site.call(.get).start()
        while held.gate.waiterCount == 0 { await Task.yield() }
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            trigger.triggerGracefulShutdown()
            // The service waits for the call: the limit's sleeper is there.
            while held.clock.sleeperCount == 0 { await Task.yield() }
            #expect(note.number == 0)
            let late = try #require(await #expect(throws: CumulusError.self) { try await held.site.get() })
            #expect(late.code == .shutdown)
            held.gate.open()
            try await run
        }
        #expect(try await call.value.text == "done")
        #expect(note.number == 1)
    }

    @Test func runningCallIsCancelledAtTheLimit() async throws {
        let (held, note) = (HeldSite(), EndNote())
        let service = ClientService(held.site, limit: .seconds(5)) { note.note() }
        let call = held.site.call(.get).start()
        while held.gate.waiterCount == 0 { await Task.yield() }
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            trigger.triggerGracefulShutdown()
            while held.clock.sleeperCount == 0 { await Task.yield() }
            held.clock.advance(by: .seconds(5))
            try await run
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(note.number == 1)
    }

    @Test func cancelledTaskCancelsRunningCalls() async throws {
        let (held, note) = (HeldSite(), EndNote())
        let service = ClientService(held.site) { note.note() }
        let call = held.site.call(.get).start()
        while held.gate.waiterCount == 0 { await Task.yield() }
        let run = Task { try await service.run() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(note.number == 1)
    }

    @Test func transportThatDoesNotEndIsCancelledAtTheLimit() async throws {
        let (held, gate) = (HeldSite(), Gate())
        let service = ClientService(held.site, limit: .seconds(5)) { try? await gate.wait() }
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            trigger.triggerGracefulShutdown()
            while gate.waiterCount == 0 || held.clock.sleeperCount == 0 { await Task.yield() }
            held.clock.advance(by: .seconds(5))
            try await run
        }
        #expect(!gate.isOpen)
    }

    @Test func groupEndsItAfterTheServicesThatSendRequests() async throws {
        struct Sender: Service {
            let site: Resource
            let texts: EndNote

            func run() async throws {
                try await gracefulShutdown()
                // The tree still accepts calls while this service ends.
                if try await site.get().text == "hello" { texts.note() }
            }
        }
        let (texts, ended) = (EndNote(), EndNote())
        try await withLoopbackServer {
            $0.get("/") { _ in .text("hello") }
        } _: { server in
            let transport = NIOTransport()
            let site = Resource(server.url, transport: transport)
            let client = ClientService(site) {
                await transport.shutdown()
                ended.note()
            }
            let group = ServiceGroup(
                services: [client, Sender(site: site, texts: texts)],
                logger: Logger(label: "test")
            )
            let run = Task { try await group.run() }
            await group.triggerGracefulShutdown()
            try await run.value
            #expect(texts.number == 1 && ended.number == 1)
            let usage = await transport.poolUsage()
            #expect(usage.connections == 0 && usage.exchanges == 0)
            let late = try #require(await #expect(throws: CumulusError.self) { try await site.get() })
            #expect(late.code == .shutdown)
        }
    }

    @Test func descriptionNamesTheTreeWithoutSecrets() {
        let site = Resource(
            "https://user:hunter2@a.example/v1?key=hunter2",
            transport: StubTransport { _ in .text("") }
        )
        let description = "\(ClientService(site))"
        #expect(description.hasPrefix("the HTTP client of https://a.example/v1"))
        #expect(!description.contains("hunter2"))
    }
}
