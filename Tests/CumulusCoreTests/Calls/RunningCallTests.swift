// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Dispatch
import HTTPTypes
import Synchronization
import Testing

/// Numbers of handles, and where closures are called.
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
        site = Resource("http://a.example", transport: transport)
    }

    @Test("a handle has the number of its request, by which it is found and cancelled")
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

    @Test("errors, and requests after a restart, have the handle's number")
    func numberOfErrors() async throws {
        let handle = site["bad"].call(.get, as: Int.self).start()
        let error = await #expect(throws: CumulusError.self) { try await handle.value }
        #expect(error?.request?.id == handle.id)
        handle.restart()
        let again = await #expect(throws: CumulusError.self) { try await handle.value }
        #expect(again?.request?.id == handle.id)
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
