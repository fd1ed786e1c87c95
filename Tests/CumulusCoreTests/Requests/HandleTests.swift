// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Dispatch
import HTTPTypes
import Synchronization
import Testing

/// Numbers of handles, and where closures are called.
@Suite(.timeLimit(.minutes(10))) struct HandleTests {
    private let gate = Gate()
    private let transport: StubTransport
    private let site: Resource

    init() {
        let gate = gate
        transport = StubTransport { request in
            if request.path == "/slow" { try await gate.wait() }
            return request.path == "/bad" ? .text("no", status: .notFound) : .json("\(request.number)")
        }
        site = Resource("http://a.example", transport: transport)
    }

    @Test("a handle has the number of its request, by which it is found and cancelled")
    func number() async throws {
        let handle = site["slow"].prepare(.get, as: Int.self).start()
        try await eventually { site.runningRequest(handle.id) != nil }
        let other = site["slow"].prepare(.get, as: Int.self).start()
        #expect(other.id != handle.id)
        #expect(site.runningRequest(handle.id)?.cancel() == true)
        await #expect(throws: CancellationError.self) { try await handle.value }
        gate.open()
        _ = try await other.value
        #expect(site.runningRequest(other.id) == nil)
    }

    @Test("errors, and requests after a restart, have the handle's number")
    func numberOfErrors() async throws {
        let handle = site["bad"].prepare(.get, as: Int.self).start()
        let error = await #expect(throws: CumulusError.self) { try await handle.value }
        #expect(error?.request?.id == handle.id)
        handle.restart()
        let again = await #expect(throws: CumulusError.self) { try await handle.value }
        #expect(again?.request?.id == handle.id)
    }

    @Test("requests sent by a hook have their own numbers")
    func hooksHaveTheirOwn() async throws {
        let numbers = Mutex<[RequestID?]>([])
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
        let handle = outer.prepare(.get).start()
        _ = try await handle.value
        let seen = numbers.withLock(\.self)
        #expect(seen.first == handle.id)
        #expect(Set(seen.map { $0?.number }).count == 2)
    }

    @Test("closures run on your own queue, progress first, in order")
    func queue() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "mine")
        queue.setSpecific(key: key, value: true)
        let notes = Mutex<[String]>([])
        let result = await withCheckedContinuation { continuation in
            _ = site["a"].prepare(.get, as: Int.self).start(
                on: queue,
                progress: { event in
                    let place = DispatchQueue.getSpecific(key: key) == true ? "mine" : "elsewhere"
                    notes.withLock { $0.append("\(place) \(event.isFinished)") }
                },
                completion: { result in
                    let place = DispatchQueue.getSpecific(key: key) == true ? "mine" : "elsewhere"
                    notes.withLock { $0.append("\(place) end") }
                    continuation.resume(returning: result)
                }
            )
        }
        #expect(try result.get() == 1)
        #expect(notes.withLock(\.self) == ["mine false", "mine true", "mine end"])
    }

    @Test("a concurrent queue gets one event after the other")
    func concurrentQueue() async throws {
        let queue = DispatchQueue(label: "wide", attributes: .concurrent)
        let places = site["a"]
        places.setRules {
            $0.fixtures[.get] = .bytes([UInt8](repeating: 1, count: 500)).arriving(over: .milliseconds(450))
        }
        let notes = Mutex<[Int64]>([])
        await withCheckedContinuation { continuation in
            _ = places.prepare(.get).start(
                on: queue,
                progress: { event in notes.withLock { $0.append(event.completed) } },
                completion: { _ in continuation.resume() }
            )
        }
        let seen = notes.withLock(\.self)
        #expect(seen == seen.sorted())
        #expect(seen.last == 500)
    }
}
