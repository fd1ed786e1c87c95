// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An exchange with a task that only records its calls.
@Suite(.timeLimit(.minutes(10))) struct URLSessionExchangeTests {
    private final class RecordedTask: ExchangeTask {
        let calls = Mutex<[String]>([])
        private let whileHoldingBack: @Sendable () -> Void

        init(whileHoldingBack: @escaping @Sendable () -> Void = {}) { self.whileHoldingBack = whileHoldingBack }

        func resume() { calls.withLock { $0.append("resume") } }
        func cancel() { calls.withLock { $0.append("cancel") } }
        func letGo() { calls.withLock { $0.append("letGo") } }

        func holdBack() {
            whileHoldingBack()
            calls.withLock { $0.append("holdBack") }
        }
    }

    private static let limit = 1 << 30

    private func exchange(_ change: (inout TransportRequest) -> Void = { _ in }) -> URLSessionExchange {
        var request = TransportRequest(origin: Origin(scheme: .https, host: "a.example"))
        change(&request)
        return URLSessionExchange(request, spool: nil, started: request.clock.now, unreadLimit: Self.limit)
    }

    private func head(_ status: Int = 200) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://a.example/"))
        let fields = ["Content-Type": "text/plain"]
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        )
    }

    /// The response of an exchange whose task delivers a head as soon as it is resumed.
    private func response(_ exchange: URLSessionExchange, _ task: RecordedTask) async throws -> TransportResponse {
        let head = try head()
        return try await withThrowingTaskGroup(of: TransportResponse?.self) { group in
            group.addTask { try await exchange.run(task) }
            group.addTask {
                while task.calls.withLock({ !$0.contains("resume") }) { await Task.yield() }
                exchange.received(head)
                return nil
            }
            for try await response in group { if let response { return response } }
            throw CancellationError()
        }
    }

    @Test("An exchange that ended before its task began, as by a shutdown, fails instead of waiting")
    func endedBefore() async throws {
        let (exchange, task) = (exchange(), RecordedTask())
        exchange.fail(TransportFailure(.shutdown, "the transport was shut down"))
        let failure = await #expect(throws: TransportFailure.self) { _ = try await exchange.run(task) }
        #expect(failure?.kind == .shutdown)
        #expect(task.calls.withLock(\.self) == ["cancel"])
    }

    @Test("A reader can't let a task go that is just being held back: it would stay suspended")
    func orderOfControls() async throws {
        let exchange = exchange()
        let reader = Mutex<Task<Void, any Error>?>(nil)
        let body = Mutex<ResponseBody?>(nil)
        let task = RecordedTask(whileHoldingBack: {
            let body = body.withLock(\.self)
            let read = Task { while let chunk = try await body?.next() { _ = chunk.count } }
            reader.withLock { $0 = read }
            // Long enough for the reader to overtake, if it can.
            for _ in 0..<2_000 { sched_yield() }
        })
        let response = try await response(exchange, task)
        body.withLock { $0 = response.body }
        exchange.received(Data(count: 2 << 20))
        exchange.completed(nil)
        try await reader.withLock(\.self)?.value
        #expect(task.calls.withLock(\.self) == ["resume", "holdBack", "letGo"])
    }

    @Test("A pause of the process is not the peer's silence")
    func pauseOfTheProcess() async throws {
        let (clock, task) = (ManualClock(), RecordedTask())
        let exchange = exchange {
            $0.clock = clock
            $0.deadlines.idle = .seconds(60)
        }
        let response = try await response(exchange, task)
        let read = Task { try await response.body.next()?.count }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3_600))
        try await clock.waitForSleepers(1)
        exchange.received(Data(count: 3))
        #expect(try await read.value == 3)
        exchange.completed(nil)
        #expect(try await response.body.next() == nil)
    }

    @Test("Waiting for a network is not the peer's silence")
    func waitingForANetwork() async throws {
        let (clock, task) = (ManualClock(), RecordedTask())
        let exchange = exchange {
            $0.clock = clock
            $0.deadlines.idle = .seconds(60)
        }
        let work = Task { [head = try head()] in
            while task.calls.withLock({ !$0.contains("resume") }) { await Task.yield() }
            exchange.waitsForConnectivity()
            for _ in 0..<10 {
                try await clock.waitForSleepers(1)
                clock.advance(by: .seconds(60))
            }
            exchange.received(head)
        }
        let response = try await exchange.run(task)
        try await work.value
        #expect(response.head.status == .ok)
        response.body.cancel()
    }

    @Test func measurementsBecomeFactsOfTheEnd() async throws {
        let (exchange, task) = (exchange(), RecordedTask())
        let response = try await response(exchange, task)
        var record = TransactionRecord()
        (record.protocolName, record.isReused, record.requestStart) = ("h2", true, Date())
        exchange.measured([record])
        exchange.completed(nil)
        #expect(try await response.body.next() == nil)
        #expect(response.body.end?.facts.protocolName == "h2" && response.body.end?.facts.isReused == true)
    }

    @Test("What was measured decides whether a failed request may have arrived", arguments: [true, false])
    func fate(hasSent: Bool) async throws {
        let (exchange, task) = (exchange(), RecordedTask())
        let work = Task { try await exchange.run(task) }
        while task.calls.withLock({ !$0.contains("resume") }) { await Task.yield() }
        var record = TransactionRecord()
        record.requestStart = hasSent ? Date() : nil
        exchange.measured([record])
        exchange.completed(NSError(domain: NSURLErrorDomain, code: URLError.Code.notConnectedToInternet.rawValue))
        let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
        #expect(failure?.kind == .connect && failure?.fate == (hasSent ? .unknown : .unsent))
    }

    @Test(
        "A server that is refused fails the request as tls, which the session's own error doesn't say",
        arguments: [true, false]
    )
    func refusedServer(hasSent: Bool) async throws {
        let (exchange, task) = (exchange(), RecordedTask())
        let work = Task { try await exchange.run(task) }
        while task.calls.withLock({ !$0.contains("resume") }) { await Task.yield() }
        exchange.refuseServer("its key is not one of the pinned keys")
        var record = TransactionRecord()
        record.requestStart = hasSent ? Date() : nil
        exchange.measured([record])
        exchange.completed(NSError(domain: NSURLErrorDomain, code: URLError.Code.cancelled.rawValue))
        let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
        #expect(failure?.kind == .tls && failure?.fate == (hasSent ? .unknown : .unsent))
        #expect(failure?.message == "can't establish TLS with https://a.example: its key is not one of the pinned keys")
    }
}
