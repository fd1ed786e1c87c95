// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusCore
import CumulusTesting
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

/// Long bodies are read in large pieces, and slow ones as they come.
@Suite(.timeLimit(.minutes(10))) struct ReceiveThresholdTests {
    @Test("the threshold is raised once much has arrived, and lowered before the end")
    func steadyBodies() {
        var threshold = ReceiveThreshold(received: 200)
        #expect(threshold.noteRead(received: 524_000, remaining: 9_000_000) == nil)
        #expect(threshold.noteRead(received: 524_488, remaining: 8_000_000) == ReceiveThreshold.raised)
        #expect(threshold.noteRead(received: 900_000, remaining: 327_680) == nil)
        #expect(threshold.isRaised)
        #expect(threshold.noteRead(received: 1_000_000, remaining: 327_679) == 1)
        #expect(threshold.noteRead(received: 1_300_000, remaining: 0) == nil)
        #expect(!threshold.isRaised)
    }

    @Test("the threshold is lowered once nothing was read between two sweeps")
    func pauses() {
        var threshold = ReceiveThreshold(received: 0)
        #expect(threshold.noteSweep(received: 0) == nil)
        #expect(threshold.noteRead(received: 600_000, remaining: 9_000_000) == ReceiveThreshold.raised)
        #expect(threshold.noteSweep(received: 600_000) == nil)
        #expect(threshold.noteRead(received: 900_000, remaining: 9_000_000) == nil)
        #expect(threshold.noteSweep(received: 900_000) == nil)
        #expect(threshold.noteSweep(received: 900_000) == 1)
        #expect(threshold.noteSweep(received: 900_000) == nil)
        // Only what arrives after the last sweep shows that the body is fast again.
        #expect(threshold.noteRead(received: 1_400_000, remaining: 9_000_000) == nil)
        #expect(threshold.noteRead(received: 1_424_288, remaining: 9_000_000) == ReceiveThreshold.raised)
    }

    @Test("a slow body never raises the threshold")
    func slowBodies() {
        var threshold = ReceiveThreshold(received: 0)
        for step in 1...1_000 as ClosedRange<Int64> {
            #expect(threshold.noteRead(received: step * 100_000, remaining: 1 << 30) == nil)
            if step % 5 == 0 { #expect(threshold.noteSweep(received: step * 100_000) == nil) }
        }
    }

    @Test("what a fast server sends slowly later is delivered as it comes, and the connection serves again")
    func fastAndSlow() async throws {
        let server = PlainServer(isUnix: false)
        let transport = NIOTransport(configuration: server.configuration)
        let (fast, piece, pieces) = (4_000_000, 10_000, 5)
        let length = 2 * fast + pieces * piece
        let (received, isDelivered) = (Mutex(0), DispatchSemaphore(value: 0))
        async let accepted = blocking {
            let peer = server.accept()
            PlainServer.readHead(peer)
            PlainServer.send(peer, "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            PlainServer.send(peer, String(repeating: "f", count: fast))
            var late = 0
            for number in 1...pieces {
                PlainServer.send(peer, String(repeating: "s", count: piece))
                // The next piece is sent only after this one was read.
                while received.withLock({ $0 }) < fast + number * piece {
                    if isDelivered.wait(timeout: .now() + PlainServer.patience) == .timedOut { late += 1; break }
                }
            }
            PlainServer.send(peer, String(repeating: "f", count: fast))
            PlainServer.readHead(peer)
            PlainServer.send(peer, PlainServer.answer)
            return (peer: peer, late: late)
        }
        var count = 0
        let response = try await transport.send(server.request())
        while let chunk = try await response.body.next() {
            count += chunk.count
            received.withLock { $0 = count }
            isDelivered.signal()
        }
        #expect(count == length)
        // The threshold of the long body would keep this response back.
        try await transport.check(server.request(), answers: "ok")
        let end = await accepted
        #expect(end.late == 0)
        close(end.peer)
        await transport.shutdown(.immediate)
    }
}
#endif
