// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusURLSession

/// A body that a session takes while it is produced, with a sink in place of the session's stream.
@Suite(.timeLimit(.minutes(10))) struct BodySinkTests {
    private struct Broken: Error {}

    private final class Sink: BodySink {
        let events = Mutex<[String]>([])
        let isClosed = Gate()
        private let limit: Int

        init(limit: Int = .max) { self.limit = limit }

        func write(_ piece: ByteChunk) async throws {
            let isFull = events.withLock { events in
                if events.count == limit { return true }
                events.append(String(decoding: piece.data, as: UTF8.self))
                return false
            }
            if isFull { throw BodySinkEnded() }
        }

        func close() {
            events.withLock { $0.append("end") }
            isClosed.open()
        }
    }

    private final class SilentTask: ExchangeTask {
        private let cancelled = Mutex(false)
        var isCancelled: Bool { cancelled.withLock(\.self) }
        func resume() {}
        func cancel() { cancelled.withLock { $0 = true } }
        func holdBack() {}
        func letGo() {}
    }

    private func exchange(_ body: RequestBody) -> URLSessionExchange {
        let origin = Origin(scheme: .https, host: "a.example")
        let request = TransportRequest(method: .post, origin: origin, body: body)
        return URLSessionExchange(request, spool: nil, started: request.clock.now, unreadLimit: 1 << 20)
    }

    private func stream(_ replay: StreamBody.Replay, _ pieces: [String], error: (any Error)? = nil) -> RequestBody {
        .stream(
            StreamBody(replay: replay) { _, writer in
                for piece in pieces { try await writer.write(ByteChunk(piece)) }
                if let error { throw error }
            }
        )
    }

    @Test func piecesArriveInOrderAndEnd() async throws {
        let (exchange, sink) = (exchange(stream(.once, ["a", "b", "c"])), Sink())
        #expect(exchange.sendBody(to: sink))
        try await sink.isClosed.wait()
        #expect(sink.events.withLock(\.self) == ["a", "b", "c", "end"])
    }

    @Test("A challenge may need the body again: it is produced again if that is possible")
    func again() async throws {
        let (restartable, first, second) = (exchange(stream(.restartable, ["a", "b"])), Sink(), Sink())
        #expect(restartable.sendBody(to: first))
        try await first.isClosed.wait()
        #expect(restartable.sendBody(to: second))
        try await second.isClosed.wait()
        #expect(second.events.withLock(\.self) == ["a", "b", "end"])
        let once = exchange(stream(.once, ["a"]))
        #expect(once.sendBody(to: Sink()))
        #expect(!once.sendBody(to: Sink()), "it can be produced only once")
    }

    @Test("A producer's error ends the exchange before the stream, which would make the body a complete one")
    func producerFails() async throws {
        let (exchange, sink, task) = (exchange(stream(.once, ["a"], error: Broken())), Sink(), SilentTask())
        let work = Task { try await exchange.run(task) }
        while !exchange.sendBody(to: sink) { await Task.yield() }
        let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
        #expect(failure?.kind == .requestBody && failure?.cause is Broken)
        try await sink.isClosed.wait()
        #expect(task.isCancelled)
    }

    @Test("A session that takes no more, as after an early response, isn't an error of the body")
    func earlyResponse() async throws {
        let (exchange, sink, task) = (exchange(stream(.once, ["a", "b", "c"])), Sink(limit: 2), SilentTask())
        let work = Task { try await exchange.run(task) }
        #expect(exchange.sendBody(to: sink))
        try await sink.isClosed.wait()
        #expect(!task.isCancelled)
        exchange.fail(TransportFailure(.other, "the test ends"))
        let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
        #expect(failure?.kind == .other)
    }

    @Test func theEndOfTheExchangeEndsTheProducer() async throws {
        let (isRunning, hasEnded) = (Gate(), Gate())
        let body = StreamBody { _, _ in
            isRunning.open()
            defer { hasEnded.open() }
            try await Gate().wait()
        }
        let (exchange, sink) = (exchange(.stream(body)), Sink())
        #expect(exchange.sendBody(to: sink))
        try await isRunning.wait()
        exchange.fail(CancellationError())
        try await hasEnded.wait()
        #expect(!exchange.sendBody(to: Sink()), "nothing is produced for an exchange that has ended")
    }
}
