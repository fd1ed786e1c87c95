// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Dispatch
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Numbers of started calls, their place on the list, and where closures are called.
@Suite(.timeLimit(.minutes(10))) struct RunningCallTests {
    private let gate = Gate()
    private let transport: StubTransport
    private let site: Resource

    init() {
        let gate = gate
        transport = StubTransport { request in
            if request.path == "/slow" { try await gate.wait() }
            return request.path == "/bad" ? .text("no", status: .notFound) : .json("\(request.number)")
        }
        site = Resource("http://a.example", transport: transport.watched)
    }

    @Test("a started call has a number, by which it is found and cancelled")
    func number() async throws {
        let handle = site["slow"].call(.get, as: Int.self).start()
        try await eventually { site.runningCall(handle.id) != nil }
        let other = site["slow"].call(.get, as: Int.self).start()
        #expect(other.id != handle.id)
        #expect(site.runningCall(handle.id)?.cancel() == true)
        await #expect(throws: CancellationError.self) { try await handle.value }
        gate.open()
        _ = try await other.value
        #expect(site.runningCall(other.id) == nil)
    }

    @Test("errors, and what a restart sends, have the call's number")
    func numberOfErrors() async throws {
        let handle = site["bad"].call(.get, as: Int.self).start()
        let error = await #expect(throws: CumulusError.self) { try await handle.value }
        #expect(error?.request?.id == handle.id)
        handle.restart()
        let again = await #expect(throws: CumulusError.self) { try await handle.value }
        #expect(again?.request?.id == handle.id)
    }

    @Test("a call is on the list as soon as it is started, so that whoever cancels all then finds it")
    func isListedAtOnce() async throws {
        for _ in 0..<100 {
            let running = site["slow"].call(.get, as: Int.self).start()
            #expect(site.runningCall(running.id)?.method == .get)
            #expect(site["slow"].cancelAll() == 1)
            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(site.runningCalls.isEmpty)
        }
        gate.open()
        #expect(try await site.get().status == .ok)
        await site.waitUntilIdle()
    }

    @Test("a started call leaves the list however it ends before it is sent")
    func leavesTheList() async throws {
        struct No: Error {}
        let refusing = site["a"].with { $0.preflights = [{ _ in throw No() }] }
        await #expect(throws: CumulusError.self) { try await refusing.call(.get).start().value }
        let unencodable = site["a"].call(.put, .file("/nowhere/at/all")).start()
        await #expect(throws: CumulusError.self) { try await unencodable.value }
        let nowhere = Resource("no URL", transport: transport.watched).call(.get).start()
        await #expect(throws: CumulusError.self) { try await nowhere.value }
        #expect(site.runningCalls.isEmpty)
        await site.shutdown()
        let late = await #expect(throws: CumulusError.self) { try await site.call(.get).start().value }
        #expect(late?.code == .shutdown)
        #expect(transport.requests.isEmpty)
    }

    @Test("requests sent by a hook have their own numbers")
    func hooksHaveTheirOwn() async throws {
        let numbers = Mutex<[CallID?]>([])
        let inner = site["inner"]
        let outer = site["outer"]
        outer.setRules {
            $0.validators = [
                { response in
                    numbers.withLock { $0.append(response.request.id) }
                    let nested = try await response.request.resource?["deep"].with { $0.validators = .replacing([]) }
                        .get()
                    numbers.withLock { $0.append(nested?.request.id) }
                    try await inner.get().requireSuccess()
                }
            ]
        }
        let handle = outer.call(.get).start()
        _ = try await handle.value
        let seen = numbers.withLock(\.self)
        #expect(seen.first == handle.id)
        #expect(Set(seen.map { $0?.number }).count == 2)
    }

    @Test("a concurrent executor gets one event after the other, and the result at the end")
    func concurrentExecutor() async throws {
        let places = site["a"]
        places.setRules {
            $0.fixtures[.get] = .bytes([UInt8](repeating: 1, count: 500)).arriving(over: .milliseconds(450))
        }
        let notes = Mutex<[Int64]>([])
        await withCheckedContinuation { continuation in
            _ = places.call(.get).start(
                on: globalConcurrentExecutor,
                onProgress: { event in notes.withLock { $0.append(event.completed) } },
                { _ in continuation.resume() }
            )
        }
        let seen = notes.withLock(\.self)
        #expect(seen == seen.sorted())
        #expect(seen.last == 500)
    }
}
