// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import CumulusCore
@testable import CumulusNIO

/// A server and its own transport, during a test.
func withTransport(
    _ server: LoopbackServer,
    _ configuration: NIOTransport.Configuration = .init(),
    _ body: (NIOTransport) async throws -> Void
) async throws {
    let transport = NIOTransport(configuration: configuration)
    do {
        try await body(transport)
        await transport.shutdown(.immediate)
        await server.shutdown()
    } catch {
        await transport.shutdown(.immediate)
        await server.shutdown()
        throw error
    }
}

extension LoopbackServer {
    /// A request to this server.
    func request(
        _ method: HTTPRequest.Method = .get,
        _ target: String = "/",
        host: String = "127.0.0.1",
        headers: HTTPFields = [:],
        body: RequestBody = .none,
        deadlines: TransportDeadlines = TransportDeadlines(idle: .seconds(300)),
        clock: any RequestClock = SystemClock()
    ) -> TransportRequest {
        TransportRequest(
            method: method,
            origin: Origin(scheme: tls == nil ? .http : .https, host: host, port: port),
            target: target,
            headers: headers,
            body: body,
            deadlines: deadlines,
            clock: clock
        )
    }
}

/// A response with its body read to the end.
struct WholeResponse {
    var status: Int
    var headers: HTTPFields
    var text: String
    var trailers: HTTPFields
    var facts: ExchangeFacts
}

extension NIOTransport {
    /// Sends a request and reads its response to the end.
    func exchange(_ request: TransportRequest) async throws -> WholeResponse {
        try await whole(try await send(request))
    }

    /// The response to a request that is sent again where the pipeline would do so within an attempt.
    func attempt(_ request: TransportRequest) async throws -> WholeResponse {
        var (request, recovery) = (request, WireRecovery())
        while true {
            let end: ExchangeOutcome
            do {
                end = .responded(try await send(request))
            } catch let failure as TransportFailure {
                end = .failed(failure)
            }
            if let permit = recovery.next(after: end, of: request) {
                permit.change(&request)
                continue
            }
            switch end {
            case .responded(let response): return try await whole(response)
            case .failed(let failure): throw failure
            }
        }
    }

    private func whole(_ response: TransportResponse) async throws -> WholeResponse {
        var bytes: [UInt8] = []
        while let chunk = try await response.body.next() { chunk.withUnsafeBytes { bytes += $0 } }
        let end = try #require(response.body.end)
        return WholeResponse(
            status: response.head.status.code,
            headers: response.head.headers,
            text: String(decoding: bytes, as: UTF8.self),
            trailers: end.trailers,
            facts: end.facts
        )
    }

    /// Expects that the response's body is a text, to one exchange or to an attempt.
    func check(
        _ request: TransportRequest,
        answers text: String,
        repeating: Bool = false,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let answer = repeating ? try await attempt(request) : try await exchange(request)
        #expect(answer.text == text, sourceLocation: sourceLocation)
    }

    /// The failure of one exchange or of an attempt; `nil` if it doesn't fail this way.
    func failure(_ request: TransportRequest, repeating: Bool = false) async -> TransportFailure? {
        do {
            _ = repeating ? try await attempt(request) : try await exchange(request)
            return nil
        } catch {
            return error as? TransportFailure
        }
    }

    /// Waits until a number of requests is in line for connections.
    func waitForWaiters(_ count: Int) async throws {
        let start = ContinuousClock.now
        while true {
            var waiters = 0
            for engine in engines {
                waiters += try await engine.eventLoop.submit {
                    engine.slots.values.reduce(0) { $0 + $1.pool.waiterCount }
                }.get()
            }
            if waiters == count { return }
            // A guard against waiting for ever.
            if ContinuousClock.now - start > .seconds(300) {
                Issue.record("\(waiters) requests in line")
                return
            }
            // A loop that only yields would occupy the few threads.
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Waits until the pool has the expected connections: closing takes a turn of the loop.
    func waitForConnections(all: Int, idle: Int) async throws {
        let start = ContinuousClock.now
        while true {
            let counts = try await connectionCounts()
            if counts == (all, idle) { return }
            // A guard against waiting for ever.
            if ContinuousClock.now - start > .seconds(300) {
                Issue.record("\(counts.all) connections, \(counts.idle) idle")
                return
            }
            // A loop that only yields would occupy the few threads.
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// A clock that advances when a test says so.
final class SteppingClock: RequestClock {
    private let instant = Mutex(ContinuousClock.now)
    private let looks = Atomic<Int>(0)

    var now: ContinuousClock.Instant {
        looks.add(1, ordering: .relaxed)
        return instant.withLock { $0 }
    }

    /// Waits until somebody has looked at it a few times from now on: what happened before is noticed then.
    func awaitLooks() async throws {
        let start = looks.load(ordering: .relaxed)
        while looks.load(ordering: .relaxed) < start + 8 {
            // A loop that only yields would occupy the few threads.
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func advance(by duration: Duration) { instant.withLock { $0 += duration } }

    func sleep(until instant: ContinuousClock.Instant) async throws {
        while now < instant {
            try Task.checkCancellation()
            // A loop that only yields would occupy the few threads.
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
