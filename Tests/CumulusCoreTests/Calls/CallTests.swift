// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Dispatch
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Requests made now and sent later: by async code, closures or a blocking thread.
@Suite(.timeLimit(.minutes(10))) struct CallTests {
    private let transport = StubTransport { request in .json("\(request.number)") }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    /// A record that closures share.
    private final class Notes: Sendable {
        private let notes = Mutex<[String]>([])
        var all: [String] { notes.withLock(\.self) }
        func add(_ note: String) { notes.withLock { $0.append(note) } }
    }

    @Test("nothing is sent before the start, and a request can be sent any number of times")
    func sentAnyNumberOfTimes() async throws {
        let request = site["posts"].call(.get, as: Int.self, query: ["a": 1])
        #expect(transport.requests.isEmpty)
        #expect(try await request.send() == 1)
        #expect(try await request.send() == 2)
        #expect(transport.lastRequest?.request.target == "/posts?a=1")
    }

    @Test("credentials that were corrected in the meantime are used")
    func settingsAreLookedUpWhenSent() async throws {
        let transport = StubTransport { request in
            .json("1", status: request.headers[.authorization] == nil ? .unauthorized : .ok)
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let request = site["me"].call(.get, as: Int.self)
        let handle = request.start()
        let error = await #expect(throws: CumulusError.self) { try await handle.value }
        #expect(error?.response?.status == .unauthorized)
        site.setRules { $0.credentials = Credentials(user: "ada", password: "lovelace") }
        handle.restart()
        #expect(try await handle.value == 1)
    }

    @Test("a restart cancels the running request first, and waiting tasks get the new result")
    func restartInFlight() async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            if request.number == 1 { try await gate.wait() }
            return .json("\(request.number)")
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let handle = site.call(.get, as: Int.self).start()
        let waiting = Task { try await handle.value }
        try await gate.waitForWaiters()
        handle.restart()
        #expect(try await waiting.value == 2)
        #expect(gate.waiterCount == 0)
        #expect(handle.isFinished)
    }

    @Test("a reported cancellation reaches the completion, a silent one does not", arguments: [true, false])
    func cancelling(isSilent: Bool) async throws {
        let (gate, notes) = (Gate(), Notes())
        let transport = StubTransport { _ in
            try await gate.wait()
            return .json("1")
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let handle = site.call(.get, as: Int.self).start { result in
            if case .failure(is CancellationError) = result { notes.add("cancelled") } else { notes.add("other") }
        }
        try await gate.waitForWaiters()
        handle.cancel(isSilent ? .silent : .reported)
        await #expect(throws: CancellationError.self) { try await handle.value }
        if !isSilent { try await eventually { !notes.all.isEmpty } }
        // The main actor has had its turn.
        await MainActor.run {}
        await MainActor.run {}
        #expect(notes.all == (isSilent ? [] : ["cancelled"]))
    }

    @Test("the completion is called once, on the main actor, after all progress") @MainActor
    func closuresOnTheMainActor() async throws {
        let notes = Notes()
        await withCheckedContinuation { continuation in
            site.call(.post, .text("hello"), as: Int.self).start(
                onProgress: { event in notes.add("\(event.direction) \(event.completed) \(event.isFinished)") },
                { result in
                    notes.add("done \((try? result.get()) ?? 0)")
                    continuation.resume()
                }
            )
        }
        #expect(notes.all.first == "sending 0 false")
        #expect(notes.all.contains("sending 5 true"))
        #expect(notes.all.dropLast().last == "receiving 1 true")
        #expect(notes.all.last == "done 1")
        #expect(notes.all.filter { $0.hasPrefix("done") }.count == 1)
    }

    @Test("closures run on a given executor") func closuresOnAnExecutor() async throws {
        final class Counting: TaskExecutor {
            let jobs = Mutex(0)
            let queue = DispatchQueue(label: "given")
            func enqueue(_ job: consuming ExecutorJob) {
                jobs.withLock { $0 += 1 }
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
        }
        let executor = Counting()
        let site = site
        let value = await withCheckedContinuation { continuation in
            site.call(.get, as: Int.self).start(on: executor) { result in
                dispatchPrecondition(condition: .onQueue(executor.queue))
                continuation.resume(returning: try? result.get())
            }
        }
        #expect(value == 1)
        #expect(executor.jobs.withLock(\.self) > 0)
    }

    @Test func closuresRunOnDispatchQueueInOrder() async throws {
        let queue = DispatchQueue(label: "given", attributes: .concurrent)
        let transport = StubTransport { _ in .script([.chunk([1]), .chunk([2]), .chunk([3])]) }
        let site = Resource("http://a.example", transport: transport.watched)
        let steps = Mutex<[String]>([])
        let running = Mutex(0)
        let note: @Sendable (String) -> Void = { step in
            dispatchPrecondition(condition: .onQueue(queue))
            let count = running.withLock { running in
                running += 1
                return running
            }
            #expect(count == 1)
            steps.withLock { $0.append(step) }
            running.withLock { $0 -= 1 }
        }
        let bytes = try await withCheckedThrowingContinuation { continuation in
            site.call(.get).start(on: queue, onProgress: { note("\($0.completed)") }) { result in
                note("end")
                continuation.resume(with: result.map(\.bytes.bytes))
            }
        }
        #expect(bytes == [1, 2, 3])
        let all = steps.withLock(\.self)
        #expect(all.dropLast().last == "3" && all.last == "end" && all.count { $0 == "end" } == 1, "\(all)")
    }

    @Test("the handle's progress begins with the latest event and ends with the request") func handleProgress()
        async throws
    {
        let gate = Gate()
        let transport = StubTransport { _ in .script([.chunk([1, 2]), .gate(gate), .chunk([3])]) }
        let handle = Resource("http://a.example", transport: transport.watched).call(.get).start()
        try await gate.waitForWaiters()
        let events = handle.progress
        gate.open()
        var last: TransferProgress?
        for await event in events { last = event }
        #expect(last?.completed == 3)
        #expect(last?.fractionCompleted == 1)
        #expect(try await handle.value.bytes.bytes == [1, 2, 3])
        var late: [TransferProgress] = []
        for await event in handle.progress { late.append(event) }
        #expect(late.map(\.completed) == [3])
    }

    @Test("a chain passes each step's value to the next") func chains() async throws {
        let site = site
        let chain = site["a"].call(.get, as: Int.self)
            .map { first in try await site["b"].get(as: Int.self, query: ["after": first]) }
            .map { second in try await site["c"].get(as: Int.self, query: ["after": second]) }
            .map { "got \($0)" }
        #expect(try await chain.send() == "got 3")
        #expect(transport.requests.map(\.request.target) == ["/a", "/b?after=1", "/c?after=2"])
    }

    @Test("one cancellation ends a chain in any step") func cancelledChains() async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            if request.path == "/b" { try await gate.wait() }
            return .json("1")
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let handle = site["a"].call(.get, as: Int.self)
            .map { _ in try await site["b"].get(as: Int.self) }
            .map { _ in try await site["c"].get(as: Int.self) }.start()
        try await gate.waitForWaiters()
        handle.cancel()
        await #expect(throws: CancellationError.self) { try await handle.value }
        #expect(transport.requests.map(\.path) == ["/a", "/b"])
    }

    @Test("the blocking form has the same result on its own thread") func blockingOnAThread() async throws {
        let site = site
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Int, any Error>, Never>) in
            DispatchQueue(label: "script").async {
                // Ends with the stub's response.
                continuation.resume(returning: Result { try site.call(.get, as: Int.self).wait() })
            }
        }
        #expect(try result.get() == 1)
    }

    @Test("the blocking form refuses to run in a task") func blockingInATask() async {
        // Refuses to wait.
        func wait() throws -> Int { try site.call(.get, as: Int.self).wait() }
        let error = #expect(throws: CumulusError.self) { try wait() }
        #expect(error?.code == .wouldDeadlock)
        #expect(error?.message.contains("send()") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("the blocking form refuses the main thread if hooks may need it") func blockingOnTheMainThread()
        async throws
    {
        let (plain, hooked, prompted) = (site, site, site)
        hooked.setRules { $0.validators = [{ _ in await MainActor.run {} }] }
        prompted.setRules { $0.authorizers.append(.prompting { _ in await MainActor.run { nil } }) }
        // It waits for the network only.
        plain.setRules { $0.authorizers.append(.digest(user: "ada", password: Secret("p"))) }
        let outcomes = await withCheckedContinuation {
            (continuation: CheckedContinuation<[Result<Int, any Error>], Never>) in
            DispatchQueue.main.async {
                continuation.resume(
                    returning: [plain, hooked, prompted].map { site in
                        // Ends with the stub's response, or refuses to wait.
                        Result { try site.call(.get, as: Int.self).wait() }
                    }
                )
            }
        }
        #expect(try outcomes[0].get() > 0)
        for outcome in outcomes.dropFirst() {
            let error = #expect(throws: CumulusError.self) { try outcome.get() }
            #expect(error?.code == .wouldDeadlock)
        }
    }
}
