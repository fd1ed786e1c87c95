// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusTesting

/// Fixtures whose bodies arrive over time.
@Suite(.timeLimit(.minutes(10))) struct FixtureProgressTests {
    private let offline = Offline()
    private let clock = ManualClock()

    private func place(_ fixture: Fixture) -> Resource {
        let place = offline.site["a"]
        place.setRules {
            $0.clock = clock
            $0.fixtures[.get] = fixture
        }
        return place
    }

    @Test("a fixture's body arrives gradually, and its progress is reported like a real response's")
    func progress() async throws {
        let place = place(.bytes([UInt8](repeating: 1, count: 1_000)).arriving(over: .seconds(5)))
        let seen = Mutex<[Int64]>([])
        place.setRules {
            $0.observers = [
                .progress { event in
                    #expect(event.total == 1_000)
                    seen.withLock { $0.append(event.completed) }
                }
            ]
        }
        let call = Task { try await place.get() }
        let driver = Task {
            while !Task.isCancelled {
                clock.advanceToNextSleeper()
                await Task.yield()
            }
        }
        let response = try await call.value
        driver.cancel()
        #expect(response.bytes.count == 1_000)
        let counts = seen.withLock(\.self)
        #expect(counts.first == 0 && counts.last == 1_000)
        #expect(counts.count > 10 && counts == counts.sorted(), "\(counts)")
    }

    @Test("a call can be cancelled midway")
    func cancelled() async throws {
        let place = place(.bytes([UInt8](repeating: 1, count: 1_000)).arriving(over: .seconds(5)))
        let call = Task { try await place.get() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        call.cancel()
        let result = await call.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test("the call's deadline applies")
    func deadline() async throws {
        let place = place(.bytes([UInt8](repeating: 1, count: 1_000)).arriving(over: .seconds(5)))
        place.setRules { $0.deadline = .seconds(2) }
        let call = Task { try await failure { try await place.get() } }
        // The piece's wait, and the deadline's: either may end the call.
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(3))
        let error = try await call.value
        #expect(error.code == .timeout)
        let cause = error.cause as? TransportFailure
        #expect(cause?.limit == .seconds(2) && cause?.elapsed == .seconds(3))
        #expect("\(error)".hasSuffix("took longer than 2 s, 3 s in all"))
    }

    @Test("a piece that takes longer than the time limit is a timeout")
    func silence() async throws {
        let place = place(.bytes([1]).arriving(over: .seconds(3)))
        place.setRules {
            $0.timeout = .seconds(1)
            $0.retry = .never
        }
        let call = Task { try await failure { try await place.get() } }
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .seconds(1))
        clock.advance(by: .seconds(1))
        let error = try await call.value
        #expect(error.code == .timeout && error.phase == .idle && error.limit == .seconds(1))
    }

    @Test("a body that reaches the deadline says how long it was to last")
    func deadlineOfBody() async throws {
        var request = TransportRequest(origin: Origin(scheme: .https, host: "api.example.com"), clock: clock)
        request.deadlines.total = clock.now + .seconds(2)
        request.deadlines.whole = .seconds(2)
        let content = FixtureContent.bytes(ByteChunk([UInt8](repeating: 1, count: 1_000)))
        let source = FixtureBodySource(content, 0..<1_000, ExchangeFacts(), request, over: .seconds(5))
        let reading = Task {
            var received = 0
            while case .bytes(let bytes) = try await source.next() {
                received += bytes.count
                if received == 400 { break }
            }
            let error = await #expect(throws: TransportFailure.self) { try await source.next() }
            return try #require(error)
        }
        for _ in 0..<20 {
            try await clock.waitForSleepers()
            clock.advanceToNextSleeper()
        }
        let error = try await reading.value
        #expect(error.kind == .timeout(.total) && error.limit == .seconds(2) && error.elapsed == .seconds(2))
        #expect(error.message == "the call, whose fixture delivers its body over 5 s, took longer than 2 s")
    }

    @Test("fixture files set how long a body takes")
    func files() throws {
        let fixture = try FixtureDescription(["text": "abc", "duration": 2], filesIn: nil, depth: 0).fixture
        #expect(fixture.duration == .seconds(2))
    }
}
