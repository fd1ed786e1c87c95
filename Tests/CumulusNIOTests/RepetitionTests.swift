// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// What callers learn of requests that are sent again within an attempt.
@Suite(.timeLimit(.minutes(10))) struct RepetitionTests {
    private struct Tally: Codable, Sendable { var count: Int }

    private final class Noting: Sendable {
        private let seen = Mutex<[String]>([])
        var words: [String] { seen.withLock(\.self) }

        func observe(_ event: CallEvent) {
            switch event.kind {
            case .sending, .again, .responded, .failed: seen.withLock { $0.append("\(event.kind)") }
            default: break
            }
        }
    }

    /// Answers each request but those with these numbers, on which it closes the connection.
    private func server(
        closingOn numbers: Set<Int>,
        _ answer: @escaping @Sendable (Int) -> ServerResponse = { .text("\($0)") }
    ) async throws -> LoopbackServer {
        let count = Mutex(0)
        let respond: @Sendable (ServerRequest) -> ServerResponse = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return numbers.contains(number) ? .raw([.close]) : answer(number)
        }
        return try await LoopbackServer.start { routes in
            routes.get("/", respond)
            routes.post("/", respond)
        }
    }

    @Test("a request that is sent again on a new connection says so in its attempt, and to observers")
    func attempts() async throws {
        let server = try await server(closingOn: [2])
        try await withTransport(server) { transport in
            let noting = Noting()
            let site = Resource(server.url, transport: transport.watched) {
                $0.observers = [CallObserver(noting.observe)]
            }
            let first = try await site.get()
            #expect(first.attempts.map(\.reason) == [.call])
            let budget = try #require(site.retriesLeft)
            let second = try await site.get()
            #expect(second.text == "3")
            #expect(second.attempts.map(\.reason) == [.call, .staleConnection])
            #expect(second.attempts.map(\.number) == [1, 2])
            #expect("\(second.attempts[0])".hasPrefix("call: GET \(server.url)/: connectionClosed after "))
            #expect(site.retriesLeft == budget - 1)
            #expect(
                noting.words.map { $0.prefix { $0 != "," } } == [
                    "sending GET \(server.url)/", "responded with 200", "sending GET \(server.url)/",
                    "failed: connectionClosed GET \(server.url)/: the connection was closed before a response",
                    "sent again after 0 s", "sending GET \(server.url)/", "responded with 200",
                ]
            )
            let stream = try await site.call(.get).stream()
            #expect(stream.attempts.map(\.reason) == [.call])
            stream.cancel()
        }
    }

    @Test("a stream, and an error for a status, know it as well")
    func streamsAndErrors() async throws {
        let server = try await server(closingOn: [2, 5]) { ServerResponse($0 == 6 ? .notFound : .ok) }
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched)
            _ = try await site.get()
            let stream = try await site.call(.get).stream()
            #expect(stream.attempts.map(\.reason) == [.call, .staleConnection])
            for try await _ in stream {}
            _ = try await site.get()
            let error = try await #require(throws: CumulusError.self) { try await site.get(as: String.self) }
            #expect(error.statusCode == 404)
            #expect(error.attempts.map(\.reason) == [.call, .staleConnection])
        }
    }

    @Test("a failure after a repetition says so, with and without retries", arguments: [0, 1])
    func failures(limit: Int) async throws {
        let server = try await server(closingOn: [2, 3])
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched) {
                $0.retry = RetryPolicy(limit: limit, backoff: RetryBackoff(base: .zero))
            }
            let noting = Noting()
            site.setRules { $0.observers = [CallObserver(noting.observe)] }
            _ = try await site.get()
            if limit == 0 {
                let error = try await #require(throws: CumulusError.self) { try await site.get() }
                #expect((error.cause as? TransportFailure)?.fate == .unknown)
                #expect(error.attempts.map(\.reason) == [.call, .staleConnection])
            } else {
                let response = try await site.get()
                #expect(response.attempts.map(\.reason) == [.call, .staleConnection, .retry])
                #expect(response.attempts.map { $0.retry != nil } == [false, true, false])
            }
            #expect(noting.words.count { $0.hasPrefix("sent again after 0 s, staleConnection") } == 1)
        }
    }

    @Test("a change that was made before the kept connection closed is not made twice", arguments: [true, false])
    func update(retries: Bool) async throws {
        let state = Mutex((count: 1, version: 1, writes: 0))
        let server = try await LoopbackServer.start { routes in
            routes.get("/tally") { _ in
                state.withLock { state in
                    .json(["count": state.count], headers: ["ETag": "\"\(state.version)\""])
                }
            }
            routes.put("/tally") { request in
                let body = try JSON(parsing: request.body)
                return state.withLock { state in
                    state.writes += 1
                    guard request.headers[.ifMatch] == "\"\(state.version)\"" else {
                        return ServerResponse(.preconditionFailed)
                    }
                    state.count = body["count"].int ?? 0
                    state.version += 1
                    return state.writes == 1 ? .raw([.close]) : ServerResponse(.noContent)
                }
            }
        }
        try await withTransport(server) { transport in
            let place = Resource(server.url, transport: transport.watched)["tally"]
            if !retries { place.setRules { $0.retry = RetryPolicy(limit: 0) } }
            let written = try await place.update(as: Tally.self) { $0.count += 1 }
            #expect(written.count == 2)
            #expect(state.withLock(\.count) == 2)
            #expect(state.withLock(\.writes) == 2)
        }
    }

    @Test("409 to a keyed POST that the transport has sent again is retried, since the first may still be running")
    func conflict() async throws {
        let server = try await server(closingOn: [2]) { $0 == 3 ? ServerResponse(.conflict) : .text("\($0)") }
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched) {
                $0.idempotencyKey = .auto
                $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero))
            }
            _ = try await site.post(.text("1"))
            let response = try await site.post(.text("2"))
            #expect(response.text == "4")
            #expect(response.attempts.map(\.reason) == [.call, .staleConnection, .retry])
        }
    }

    @Test("an empty Idempotency-Key permits no repetition", arguments: ["", "\"\""])
    func emptyKey(key: String) async throws {
        let server = try await server(closingOn: [2])
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched)
            _ = try await site.post(.text("1"))
            await #expect(throws: CumulusError.self) {
                try await site.post(.text("2"), headers: ["Idempotency-Key": key])
            }
            #expect(server.counts.requestsReceived == 2)
        }
    }
}
