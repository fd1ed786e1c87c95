// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Progress in both directions.
@Suite(.timeLimit(.minutes(10))) struct ProgressTests {
    private final class Events: Sendable {
        private let events = Mutex<[TransferProgress]>([])
        var all: [TransferProgress] { events.withLock(\.self) }
        func of(_ direction: TransferProgress.Direction) -> [TransferProgress] {
            all.filter { $0.direction == direction }
        }
        func add(_ event: TransferProgress) { events.withLock { $0.append(event) } }
    }

    private func subject(total: Int64? = 1000) -> ProgressMeter.Subject {
        ProgressMeter.Subject(direction: .receiving, id: nil, redactedURL: "http://a.example/", total: total)
    }

    @Test("fraction, bytes, rate and time remaining") func fields() {
        let start = ContinuousClock.now
        var meter = ProgressMeter(subject(), startedAt: start)
        #expect(meter.first.completed == 0 && meter.first.fractionCompleted == 0)
        #expect(meter.first.timeRemaining == nil)
        let event = meter.advance(by: 250, at: start + .milliseconds(500))
        #expect(event?.completed == 250)
        #expect(event?.step == 250)
        #expect(event?.fractionCompleted == 0.25)
        #expect(event?.bytesPerSecond == 500)
        #expect(event?.timeRemaining == .milliseconds(1500))
        #expect(event?.elapsed == .milliseconds(500))
        let last = meter.finish(at: start + .seconds(1))
        #expect(last.isFinished && last.fractionCompleted == 1 && last.timeRemaining == .zero)
    }

    @Test("between the first and the last event there are at most ten a second") func atMostTenASecond() {
        let start = ContinuousClock.now
        var meter = ProgressMeter(subject(total: nil), startedAt: start)
        let events = (1...10_000).compactMap { step in
            meter.advance(by: 1, at: start + .microseconds(100) * step)
        }
        #expect(events.count == 10)
        #expect(events.allSatisfy { $0.fractionCompleted == nil && $0.timeRemaining == nil })
        #expect(events.last?.completed == 10_000)
        let last = meter.finish(at: start + .seconds(1))
        #expect(last.total == 10_000 && last.fractionCompleted == 1)
    }

    @Test("progress right before a stall is reported when it is due") func stalls() async throws {
        let clock = ManualClock()
        let events = Events()
        let counter = ProgressCounter(subject(), clock: clock) { events.add($0) }
        counter.begin()
        clock.advance(by: .milliseconds(150))
        counter.count(100)
        counter.count(200)
        counter.count(300)
        #expect(events.all.map(\.completed) == [0, 100])
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        try await eventually { events.all.count == 3 }
        #expect(events.all.map(\.completed) == [0, 100, 600])
        counter.finish()
        #expect(events.all.last?.isFinished == true)
        #expect(clock.sleeperCount == 0)
    }

    @Test("a slow observer, and another thread's event, don't change the order")
    func order() {
        var line = EventLine<Int>()
        #expect(line.add(1) == 1)
        #expect(line.add(2) == nil)
        #expect(line.add(3) == nil)
        #expect(line.next() == 2)
        #expect(line.next() == 3)
        #expect(line.next() == nil)
        #expect(line.add(4) == 4)
    }

    @Test("both bodies are reported, always with their first and last event") func bothWays() async throws {
        let events = Events()
        let transport = StubTransport { request in .script([.chunk([1, 2]), .chunk([3])]) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.observers = [.progress { events.add($0) }]
        }
        let body = [UInt8](repeating: 7, count: 200_000)
        let answer = try await site["up"].post(.bytes(body), query: ["token": "hunter2"])
        #expect(transport.lastRequest?.body == body)
        #expect(answer.bytes.bytes == [1, 2, 3])
        let (sent, received) = (events.of(.sending), events.of(.receiving))
        #expect(sent.first?.completed == 0 && sent.first?.total == 200_000)
        #expect(sent.last?.isFinished == true && sent.last?.completed == 200_000)
        #expect(received.first?.completed == 0)
        #expect(received.last?.isFinished == true && received.last?.completed == 3)
        #expect(events.all.allSatisfy { $0.id == answer.request.id && !$0.redactedURL.contains("hunter2") })
    }

    @Test("a request without a body reports only the response's, and a body that breaks off has no last event")
    func brokenOff() async throws {
        let events = Events()
        let transport = StubTransport { _ in .script([.chunk([1]), .fail(TransportFailure(.truncated, "cut"))]) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.observers = [.progress { events.add($0) }]
        }
        await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(events.of(.sending).isEmpty)
        #expect(events.all.first?.completed == 0)
        #expect(!events.all.contains { $0.isFinished })
    }

    @Test("a sent file is named, with its offset") func files() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("progress-\(UUID())").path
        try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let events = Events()
        let transport = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.observers = [.progress { events.add($0) }]
        }
        try await site.put(.body(.file(FileBody(path: path, offset: 10, length: 90_000)))).requireSuccess()
        #expect(transport.lastRequest?.body.count == 90_000)
        #expect(transport.lastRequest?.body.first == 10)
        let last = events.of(.sending).last
        #expect(last?.file == path && last?.offset == 10 && last?.completed == 90_000)
        let short = FileBody(path: path, offset: 50_000, length: 90_000)
        let error = await #expect(throws: CumulusError.self) { try await site.put(.body(.file(short))) }
        let cause = (error?.cause as? TransportFailure)?.cause as? UploadProblem
        #expect(cause?.kind == .changed && cause?.description.contains("early") == true)
    }
}
