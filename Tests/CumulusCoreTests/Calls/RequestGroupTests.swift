// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Groups and scopes: several requests with one outcome, and requests that end with something.
@Suite(.timeLimit(.minutes(10))) struct RequestGroupTests {
    private let transport = StubTransport { routes in
        routes.on(nil, "/bad") { _ in .text("no", status: .internalServerError) }
        routes.on(nil, "/broken") { _ in .failure(TransportFailure(.connect, "no way")) }
        routes.on(nil, "*") { request in .json("\"\(request.path)\"") }
    }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    @Test("a group returns all responses and one success") func allResponses() async {
        let site = site
        let outcome = await RequestGroup().run {
            async let one = site["one"].get()
            async let two = site["two"].get(as: String.self)
            _ = try await (one, two)
        }
        #expect(outcome.isSuccessful)
        #expect(outcome.responses.map { $0.request.target }.sorted() == ["/one", "/two"])
        #expect(outcome.error == nil)
        let empty = await RequestGroup().run {}
        #expect(empty.isSuccessful && empty.results.isEmpty)
    }

    @Test("a second run of a group does nothing and reports it") func secondRun() async {
        let site = site
        let group = RequestGroup()
        _ = await group.run { _ = try await site["one"].get() }
        let second = await group.run { Issue.record("the work ran") }
        #expect(second.error is RequestGroup.AlreadyRun)
        #expect(!second.isSuccessful && second.results.isEmpty)
    }

    @Test("one failure means no success, and the others are still reported") func oneBadAnswer() async {
        let site = site
        let outcome = await RequestGroup().run {
            _ = try await site["one"].get()
            _ = try await site["bad"].get()
            _ = try? await site["broken"].get()
        }
        #expect(!outcome.isSuccessful)
        #expect(outcome.results.count == 3)
        #expect(outcome.responses.count == 2)
        let codes = outcome.errors.map { ($0 as? CumulusError)?.code }
        #expect(codes == [.status, .connect], "a status that is no success is an error, in the requests' order")
        #expect(outcome.error == nil)
    }

    @Test("a group waits for tasks that its work left running") func tasksLeftRunning() async throws {
        let (gate, isLeft) = (Gate(), Gate())
        let site = Resource(
            "http://a.example",
            transport: StubTransport { _ in
                try await gate.wait()
                return .json("1")
            }.watched
        )
        let running = Task {
            await RequestGroup().run {
                Task { try await site["late"].get() }
                try await gate.waitForWaiters()
                isLeft.open()
            }
        }
        try await isLeft.wait()
        gate.open()
        let outcome = await running.value
        #expect(outcome.responses.count == 1)
    }

    @Test("ten concurrent groups don't mix") func groupsAreNotMixed() async {
        let site = site
        let counts = await withTaskGroup(of: (Int, [String]).self) { tasks in
            for number in 0..<10 {
                tasks.addTask {
                    let outcome = await RequestGroup().run {
                        await withTaskGroup(of: Void.self) { inner in
                            for step in 0...number {
                                inner.addTask { _ = try? await site["g\(number)"][step].get() }
                            }
                        }
                    }
                    return (number, outcome.responses.map { $0.request.target })
                }
            }
            return await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for number in 0..<10 {
            #expect(counts[number]?.count == number + 1)
            #expect(counts[number]?.allSatisfy { $0.hasPrefix("/g\(number)/") } == true)
        }
    }

    @Test("cancelling a group ends its running requests and all later ones") func cancellingAGroup() async throws {
        let gate = Gate()
        let site = Resource(
            "http://a.example",
            transport: StubTransport { _ in
                try await gate.wait()
                return .json("1")
            }.watched
        )
        let group = RequestGroup()
        let running = Task {
            await group.run {
                _ = try? await site["one"].get()
                _ = try await site["two"].get()
            }
        }
        try await gate.waitForWaiters()
        #expect(group.cancel() == 1)
        let outcome = await running.value
        #expect(outcome.results.count == 2)
        #expect(outcome.errors.allSatisfy { $0 is CancellationError })
        #expect(outcome.error is CancellationError)
    }

    @Test("the end of a scope cancels all of its requests") func scopesEnd() async throws {
        let gate = Gate()
        let site = Resource(
            "http://a.example",
            transport: StubTransport { _ in
                try await gate.wait()
                return .json("1")
            }.watched
        )
        var scope: RequestScope? = RequestScope()
        let within = try #require(scope)
        let explicit = site["explicit"].with { $0.scope = within.membership }
        let tasks = [
            Task { try await within.run { try await site["implicit"].get() } }, Task { try await explicit.get() },
        ]
        let outside = Task { try await site["outside"].get() }
        try await eventually { site.runningCalls.count == 3 }
        #expect(within.runningCount == 2)
        #expect(within.cancel() == 2)
        for task in tasks {
            let result = await task.result
            #expect(throws: CancellationError.self) { try result.get() }
        }
        await #expect(throws: CancellationError.self) { try await explicit.get() }
        scope = nil
        gate.open()
        #expect(try await outside.value.isSuccessful)
    }

    @Test("a scope that is released cancels its requests") func scopesAreReleased() async throws {
        let gate = Gate()
        let site = Resource(
            "http://a.example",
            transport: StubTransport { _ in
                try await gate.wait()
                return .json("1")
            }.watched
        )
        func begin() -> Task<Response, any Error> {
            let scope = RequestScope()
            site.setRules { $0.scope = scope.membership }
            let task = Task { try await site["bound"].get() }
            return withExtendedLifetime(scope) { task }
        }
        let result = await begin().result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test("Work for several callers is in no scope and in no group, wherever it is started")
    func workOutside() async throws {
        let site = Resource("https://api.example.com", transport: StubTransport { _ in .text("ok") }.watched)
        let scope = RequestScope()
        scope.cancel()
        let outcome = await RequestGroup().run {
            try await scope.run {
                let inside = Task { try await site["in"].get() }
                await #expect(throws: CancellationError.self) { try await inside.value }
                let renewal = Task { try await RequestScope.outside { try await site["outside"].get().text } }
                let text = try await renewal.value
                #expect(text == "ok")
            }
        }
        #expect(outcome.results.count == 1, "only the cancelled one is in the group")
    }
}
