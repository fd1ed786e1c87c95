// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// `maxConcurrentRequests`: never more than allowed, first come, first served.
@Suite(.timeLimit(.minutes(10))) struct LimitTests {
    /// Counts concurrent requests.
    private final class Flight: Sendable {
        private let state = Mutex((now: 0, most: 0, total: 0))
        var most: Int { state.withLock(\.most) }
        var total: Int { state.withLock(\.total) }
        var now: Int { state.withLock(\.now) }
        func enter() {
            state.withLock { state in
                state.now += 1
                state.total += 1
                state.most = max(state.most, state.now)
            }
        }
        func leave() { state.withLock { $0.now -= 1 } }
    }

    /// Counts how requests ended.
    private final class Tally: Sendable {
        private let state = Mutex((done: 0, cancelled: 0, other: 0))
        var counts: (done: Int, cancelled: Int, other: Int) { state.withLock(\.self) }
        func add(_ result: Result<Void, any Error>) {
            state.withLock { state in
                switch result {
                case .success: state.done += 1
                case .failure(is CancellationError): state.cancelled += 1
                case .failure: state.other += 1
                }
            }
        }
    }

    private func site(_ flight: Flight, _ gate: Gate? = nil) -> Resource {
        Resource(
            "http://a.example",
            transport: StubTransport { _ in
                flight.enter()
                defer { flight.leave() }
                if let gate { try await gate.wait() } else { for _ in 0..<3 { await Task.yield() } }
                return .json("1")
            }.watched
        )
    }

    @Test("a limit of two lets two of ten run at once")
    func twoOfTen() async throws {
        let (flight, gate) = (Flight(), Gate())
        let site = site(flight, gate)
        site.setRules { $0.maxConcurrentRequests = 2 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 { group.addTask { try await site[number].get().requireSuccess() } }
            try await eventually { site.runningCalls.count == 10 && flight.now == 2 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(flight.total == 10)
        #expect(flight.most == 2)
    }

    @Test("without a limit, and with 0, all run at once", arguments: [nil, 0, -1] as [Int?])
    func zeroIsUnlimited(limit: Int?) async throws {
        let (flight, gate) = (Flight(), Gate())
        let site = site(flight, gate)
        if let limit {
            site.setRules { $0.maxConcurrentRequests = 1 }
            site["x"].setRules { $0.maxConcurrentRequests = limit }
        }
        let place = site["x"]
        if let limit { place.setRules { $0.maxConcurrentRequests = limit } }
        let tasks = (0..<10).map { number in Task { try await place[number].get().requireSuccess() } }
        try await eventually { flight.now == 10 }
        gate.open()
        for task in tasks { _ = try await task.value }
    }

    @Test("descendants share their ancestor's limit; one that sets its own has its own line")
    func descendantsShare() async throws {
        let (flight, gate) = (Flight(), Gate())
        let site = site(flight, gate)
        site.setRules { $0.maxConcurrentRequests = 1 }
        let own = site["own"]
        own.setRules { $0.maxConcurrentRequests = 2 }
        let shared = ["a", "b/c", "d"].map { path in Task { try await site[path: path].get().requireSuccess() } }
        let apart = (0..<4).map { number in Task { try await own[number].get().requireSuccess() } }
        try await eventually { site.runningCalls.count == 7 && flight.now == 3 }
        gate.open()
        for task in shared + apart { _ = try await task.value }
        #expect(flight.total == 7)
    }

    @Test("all resources of a place share its limit, also those made by `with`")
    func resourcesOfAPlaceShare() async throws {
        let (flight, gate) = (Flight(), Gate())
        let site = site(flight, gate)
        site["posts"].setRules { $0.maxConcurrentRequests = 1 }
        let places = [site["posts"], site["posts"], site["posts"].with { $0.timeout = .seconds(1) }]
        let tasks = places.map { place in Task { try await place.get().requireSuccess() } }
        try await eventually { site.runningCalls.count == 3 && flight.now == 1 }
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(flight.most == 1)
    }

    @Test("raising the limit admits waiting requests; lowering it doesn't affect running ones")
    func changes() async throws {
        let (flight, gate) = (Flight(), Gate())
        let site = site(flight, gate)
        site.setRules { $0.maxConcurrentRequests = 1 }
        let tasks = (0..<5).map { number in Task { try await site[number].get().requireSuccess() } }
        try await eventually { site.runningCalls.count == 5 && flight.now == 1 }
        site.setRules { $0.maxConcurrentRequests = 3 }
        try await eventually { flight.now == 3 }
        site.setRules { $0.maxConcurrentRequests = 1 }
        #expect(flight.now == 3)
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(flight.most == 3)
    }

    @Test("first come, first served") func firstComeFirstServed() async throws {
        let order = Mutex<[String]>([])
        let gate = Gate()
        let transport = StubTransport { request in
            order.withLock { $0.append(request.path) }
            if request.path == "/first" { try await gate.wait() }
            return .json("1")
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.maxConcurrentRequests = 1 }
        var tasks = [Task { try await site["first"].get().requireSuccess() }]
        try await gate.waitForWaiters()
        for number in 0..<20 {
            tasks.append(Task { try await site[number].get().requireSuccess() })
            try await eventually { site.runningCalls.count == number + 2 && site.waitingRequests == number + 1 }
        }
        gate.open()
        for task in tasks { _ = try await task.value }
        let seen = order.withLock(\.self)
        #expect(seen == ["/first"] + (0..<20).map { "/\($0)" })
    }

    @Test("a redirect releases its slot before it takes the next")
    func redirectsPassTheLimit() async throws {
        let transport = StubTransport { routes in
            routes.on(nil, "/a") { _ in .response(.found, headers: [.location: "/b"]) }
            routes.on(nil, "/b") { _ in .json("1") }
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.maxConcurrentRequests = 1 }
        #expect(try await site["a"].get(as: Int.self) == 1)
        #expect(try await site["a"].get(as: Int.self) == 1)
    }

    @Test("thousands of requests at a limit of ten with random cancellations: never more than ten, and all end")
    func thousands() async throws {
        let each = SlowTests.rounds(20, of: 100)
        let flight = Flight()
        let site = site(flight)
        site.setRules { $0.maxConcurrentRequests = 10 }
        let outcomes = Tally()
        // A hundred at a time: ten run, ninety wait, and other tests still get their turn.
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<100 {
                group.addTask {
                    var random = SystemRandomNumberGenerator()
                    for number in 0..<each {
                        let task = Task { _ = try await site["r"].get().requireSuccess() }
                        if (worker + number).isMultiple(of: 7) || random.next() % 11 == 0 {
                            for _ in 0..<number % 5 { await Task.yield() }
                            task.cancel()
                        }
                        outcomes.add(await task.result)
                    }
                }
            }
        }
        let (done, cancelled, other) = outcomes.counts
        #expect(done + cancelled == 100 * each)
        #expect(other == 0)
        #expect(flight.most <= 10)
        #expect(flight.now == 0)
        #expect(site.runningCalls.isEmpty)
        #expect(site.waitingRequests == 0)
    }

    @Test("the line admits in order and skips requests that left") func line() {
        var line = ConcurrencyLimiterState()
        line.limit = 1
        let first = line.enter()
        #expect(first == nil)
        let numbers = (0..<200).compactMap { _ in line.enter() }
        #expect(numbers.count == 200)
        let (leaves, leavesAgain) = (line.giveUp(numbers[0]), line.giveUp(numbers[0]))
        #expect(leaves && !leavesAgain)
        let early = line.admitNext()
        #expect(early == nil)
        for number in numbers.dropFirst() {
            line.leave()
            let (admitted, leaves) = (line.admitNext(), line.giveUp(number))
            #expect(admitted == number && !leaves)
        }
        line.leave()
        #expect((line.running, line.waiting) == (0, 0))
    }

    @Test("a deadline that passes in the line is the whole call's, not the rest that was left")
    func deadlineInTheLine() async throws {
        let (gate, clock) = (ConcurrencyLimiter(), ManualClock())
        gate.change(to: 1)
        try await gate.enter(on: clock)
        let started = clock.moment
        clock.advance(by: .seconds(3))
        let waiting = Task { try await gate.enter(until: started + .seconds(10), since: started, on: clock) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(7))
        let failure = await #expect(throws: TransportFailure.self) { try await waiting.value }
        #expect(failure?.kind == .timeout(.total))
        #expect(failure?.limit == .seconds(10) && failure?.elapsed == .seconds(10))
        let words = "the call's deadline of 10 s passed after the request had waited 7 s for a slot"
        #expect(failure?.message == words + " (maxConcurrentRequests)")
    }
}

extension Resource {
    /// How many requests wait at this resource's own limit.
    fileprivate var waitingRequests: Int {
        snapshot.pipeline.attemptLoop.stages.limits?.limit.limiter?.counts.waiting ?? 0
    }
}
