// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// The events of request bodies whose response overtakes the task that produces them.
@Suite(.timeLimit(.minutes(10))) struct SendingReportTests {
    /// Takes a body, and responds before the write of its last piece returns.
    private struct OvertakingTransport: Transport {
        let isBodyCut: Bool
        let late = Gate()
        let producerEnded = Gate()
        var capabilities: TransportCapabilities { TransportCapabilities() }
        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard case .stream(let body) = request.body, let length = body.length else { throw NeverHappened() }
            let taken = Gate()
            let count = Mutex<Int64>(0)
            Task {
                defer { producerEnded.open() }
                try await body.contents(
                    0,
                    BodyWriter { piece in
                        let sum = count.withLock { count in
                            count += Int64(piece.count)
                            return count
                        }
                        guard sum == length else { return }
                        taken.open()
                        try await late.wait()
                    }
                )
            }
            try await taken.wait()
            var facts = ExchangeFacts()
            facts.isBodyCut = isBodyCut
            return TransportResponse(
                head: ResponseHead(status: .ok, headers: [:]),
                body: ResponseBody(complete: .empty, end: ExchangeEnd(facts: facts))
            )
        }
    }

    private final class Events: Sendable {
        let progress = Mutex<[TransferProgress]>([])
        let bytes = Mutex(0)

        var observer: CallObserver {
            CallObserver(of: [.progress, .bytes]) { [self] event in
                switch event.kind {
                case .progressed(let event) where event.direction == .sending: progress.withLock { $0.append(event) }
                case .sent(let piece): bytes.withLock { $0 += piece.count }
                default: break
                }
            }
        }
    }

    @Test("the last event comes before the call returns, and only once, also if the response comes first")
    func endBeforeTheCallReturns() async throws {
        let (transport, events) = (OvertakingTransport(isBodyCut: false), Events())
        let site = Resource("http://a.example", transport: transport.watched) { $0.observers = [events.observer] }
        try await site.put(.bytes([UInt8](repeating: 1, count: 300_000))).requireSuccess()
        let seen = events.progress.withLock(\.self)
        #expect(seen.first?.completed == 0)
        #expect(seen.last?.isFinished == true && seen.last?.completed == 300_000)
        #expect(events.bytes.withLock(\.self) == 300_000)
        transport.late.open()
        try await transport.producerEnded.wait()
        #expect(events.progress.withLock(\.count) == seen.count)
        #expect(events.bytes.withLock(\.self) == 300_000)
    }

    @Test("a body that the server did not read to its end has no last event")
    func cutBody() async throws {
        let (transport, events) = (OvertakingTransport(isBodyCut: true), Events())
        let site = Resource("http://a.example", transport: transport.watched) { $0.observers = [events.observer] }
        try await site.put(.bytes([UInt8](repeating: 1, count: 300_000))).requireSuccess()
        let isFinished = events.progress.withLock { all in all.contains { $0.isFinished } }
        #expect(!isFinished)
        transport.late.open()
    }
}
