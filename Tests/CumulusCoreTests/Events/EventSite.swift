// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport

@testable import CumulusCore

/// A resource whose server sends event streams, and the states of the stream that is read from it.
final class EventSite: Sendable {
    let clock = ManualClock()
    let transport: StubTransport
    let site: Resource
    private let states = Mutex<[String]>([])

    init(
        jitter: Double = 1,
        budget: RetryBudget? = RetryBudget(),
        _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse
    ) {
        transport = StubTransport { try await answer($0) }
        let clock = clock
        site = Resource("http://a.example", transport: transport.watched)
        site.setRules {
            $0.clock = clock
            $0.retry = RetryPolicy(backoff: RetryBackoff(jitter: { jitter }), budget: budget)
        }
    }

    /// The states so far, in words; times are those until the next connection.
    var log: [String] { states.withLock { $0 } }

    func note(_ state: EventStreamState) {
        let text =
            switch state {
            case .connecting: "connecting"
            case .open: "open"
            case .waiting(let until, let error):
                "waiting \(clock.now.duration(to: until))\((error as? CumulusError).map { " \($0.code)" } ?? "")"
            case .closed(.failed(let error)): "failed \((error as? CumulusError).map { "\($0.code)" } ?? "")"
            case .closed(let reason): "closed \(reason)"
            }
        states.withLock { $0.append(text) }
    }

    /// Reads a number of events in a task of its own, and moves the clock whenever the stream waits.
    ///
    /// - Parameters:
    ///   - count: The number of events.
    ///   - stream: The stream.
    ///   - sleepers: How many tasks sleep when the stream waits: two, if the server pauses under a limit of silence.
    ///   - whileWaiting: Whether the clock stands still during a connection, in which a deadline is a sleeper too.
    /// - Returns: The events.
    /// - Throws: The stream's error.
    func read<Element>(
        _ count: Int,
        of stream: EventStream<Element>,
        sleepers: Int = 1,
        whileWaiting: Bool = false
    ) async throws -> [Element] {
        let stream = stream.onStateChange { self.note($0) }
        let reader = Task {
            var events: [Element] = []
            for try await event in stream {
                events.append(event)
                if events.count == count { break }
            }
            return events
        }
        let driver = Task {
            while !Task.isCancelled {
                if (try? await clock.waitForSleepers(sleepers)) == nil { return }
                if whileWaiting, log.last?.hasPrefix("waiting") != true {
                    await Task.yield()
                } else {
                    clock.advanceToNextSleeper()
                }
            }
        }
        defer { driver.cancel() }
        return try await reader.value
    }
}

extension StubResponse {
    /// An event stream.
    static func events(_ text: String...) -> StubResponse {
        .script(text.map { .chunk(Array($0.utf8)) }, headers: [.contentType: "text/event-stream; charset=utf-8"])
    }

    /// An event stream that stays open.
    static func openEvents(_ text: String, then step: StubResponse.Step = .pause(.seconds(100_000))) -> StubResponse {
        .script([.chunk(Array(text.utf8)), step], headers: [.contentType: "text/event-stream"])
    }
}
