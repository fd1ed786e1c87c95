// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Running requests: they can be seen, found and cancelled from outside.
@Suite(.timeLimit(.minutes(10))) struct CallInfoTests {
    private let gate = Gate()
    private let transport: StubTransport
    private let site: Resource

    init() {
        let gate = gate
        transport = StubTransport { request in
            if request.path == "/free" { return .text("free") }
            try await gate.wait()
            return .json("1")
        }
        site = Resource("http://a.example/api", transport: transport.watched)
    }

    @Test("a running request has its number, method, URL, start, name and user info")
    func tellsWhatItIs() async throws {
        let posts = site["posts"].with {
            $0.userInfo["screen"] = "home"
            $0.query["token"] = "hunter2"
        }
        let task = Task { try await posts.keyed(.replacing("timeline")).get(as: Int.self) }
        try await gate.waitForWaiters()
        let running = try #require(site.runningCalls.first)
        #expect(site.runningCalls.count == 1)
        #expect(running.method == .get)
        #expect(running.redactedURL.hasPrefix("http://a.example/api/posts"))
        #expect(!running.description.contains("hunter2"))
        #expect(running.key == .replacing("timeline"))
        #expect(running.userInfo["screen"] as? String == "home")
        posts.setRules { $0.userInfo["screen"] = "away" }
        #expect(running.userInfo["screen"] as? String == "home", "as it was when it began")
        #expect(running.startedAt <= .now)
        #expect(site.runningCall(running.id)?.id == running.id)
        gate.open()
        _ = try await task.value
        #expect(site.runningCalls.isEmpty)
        #expect(site.runningCall(running.id) == nil)
        #expect(!running.cancel())
    }

    @Test("a resource lists and cancels requests on it and below it, and no others")
    func subtreesAreApart() async throws {
        let tasks = ["posts", "posts/1", "posts/1/comments", "postscript", "users"].map { path in
            Task { try await site[path: path].get(as: Int.self) }
        }
        try await eventually { site.runningCalls.count == 5 }
        #expect(site["posts"].runningCalls.count == 3)
        #expect(site["posts"][1].runningCalls.count == 2)
        #expect(site["posts"].cancelAll() == 3)
        for task in tasks.prefix(3) {
            let result = await task.result
            #expect(throws: CancellationError.self) { try result.get() }
        }
        #expect(site.runningCalls.count == 2)
        gate.open()
        for task in tasks.suffix(2) { #expect(try await task.value == 1) }
    }

    @Test("cancelling a request by its number ends only that one; a second time has no effect")
    func oneIsCancelledByItsNumber() async throws {
        let first = Task { try await site["one"].get(as: Int.self) }
        try await eventually { site.runningCalls.count == 1 }
        let second = Task { try await site["two"].get(as: Int.self) }
        try await eventually { site.runningCalls.count == 2 }
        let id = try #require(site.runningCalls.first?.id)
        #expect(site.runningCall(id)?.cancel() == true)
        let result = await first.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(site.runningCall(id)?.cancel() != true)
        gate.open()
        #expect(try await second.value == 1)
    }

    @Test("a refused request is not tracked and nothing is sent")
    func refusedOnesAreNotTracked() async throws {
        struct No: Error {}
        let site = site
        site.setRules {
            $0.preflights = [
                { draft in
                    #expect(draft.resource.runningCalls.isEmpty)
                    throw No()
                }
            ]
        }
        let error = await #expect(throws: CumulusError.self) { try await site["posts"].get() }
        #expect(error?.code == .refused)
        #expect(error?.request?.id != nil)
        #expect(transport.requests.isEmpty)
        #expect(site.runningCalls.isEmpty)
    }

    @Test("a streamed response runs until its body has ended")
    func streamsRunUntilTheirEnd() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in .script([.chunk([1]), .gate(gate), .chunk([2])]) }
        let site = Resource("http://a.example", transport: transport.watched)
        var stream: ResponseStream? = try await site.call(.get).stream()
        let reader = try #require(stream).makeAsyncIterator()
        #expect(try await reader.next()?.bytes == [1])
        #expect(site.runningCalls.count == 1)
        gate.open()
        #expect(try await reader.next()?.bytes == [2])
        #expect(site.runningCalls.count == 1)
        #expect(try await reader.next() == nil)
        #expect(site.runningCalls.isEmpty)

        let other = Gate()
        let dropped = Resource(
            "http://a.example",
            transport: StubTransport { _ in .script([.chunk([1]), .gate(other)]) }.watched
        )
        stream = try await dropped.call(.get).stream()
        #expect(dropped.runningCalls.count == 1)
        #expect(dropped.cancelAll() == 1)
        let cancelled = try #require(stream)
        await #expect(throws: CancellationError.self) { for try await _ in cancelled {} }
        #expect(dropped.runningCalls.isEmpty)
        stream = try await dropped.call(.get).stream()
        #expect(dropped.runningCalls.count == 1)
        stream?.cancel()
        #expect(dropped.runningCalls.isEmpty)
    }

    @Test("hooks and errors have the request's number")
    func numbersGoAlong() async throws {
        let site = site
        site.setRules { $0.validators = [{ response in #expect(response.request.id != nil) }] }
        let first = try await site[path: "../x"].with { _ in }.pathRefusal
        #expect(first)
        let root = Resource("http://a.example", transport: transport.watched)
        let one = try await root["free"].get().request.id
        let two = try await root["free"].get().request.id
        #expect(try #require(one) < (try #require(two)))
    }
}

extension Resource {
    /// Whether the resource refuses requests because of its path.
    fileprivate var pathRefusal: Bool {
        get async throws {
            do {
                _ = try await get()
                return false
            } catch let error as CumulusError { return error.code == .invalidPath }
        }
    }
}
