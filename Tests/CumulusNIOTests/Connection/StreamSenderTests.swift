// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOPosix
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct StreamSenderTests {
    /// An outlet whose peer is slow: it takes bytes, but is never writable.
    // Unchecked: used on the event loop only.
    private final class FullOutlet: BodyOutlet, @unchecked Sendable {
        let isWritable = false
        let takesFileRegions = false
        private let received: () -> Void

        init(_ received: @escaping () -> Void) { self.received = received }

        func send(_ data: IOData, flush: Bool, keeping owner: AnyObject?) { received() }
        func noteProgress() {}
        func sendingFinished(_ finished: any BodySender) {}
        func sendingFailed(_ failed: any BodySender, _ failure: TransportFailure) {}
    }

    @Test("the last write of a body that the server has got succeeds, although the response came first")
    func lastWriteOfASentBody() async throws {
        #expect(try await lastWriteSucceeds(isBodySent: true))
        #expect(try await lastWriteSucceeds(isBodySent: true, writesEmptyPiece: true))
    }

    @Test("the last write of a body fails when its exchange ends before the body was sent")
    func lastWriteOfACutBody() async throws {
        #expect(try await !lastWriteSucceeds(isBodySent: false))
    }

    /// Whether a source's write of its whole body succeeds when the exchange ends while the peer is slow.
    private func lastWriteSucceeds(isBodySent: Bool, writesEmptyPiece: Bool = false) async throws -> Bool {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let (outcomes, outcome) = AsyncStream.makeStream(of: Bool.self)
        let body = StreamBody(length: 3) { _, writer in
            do {
                try await writer.write(ByteChunk([1, 2, 3]))
                if writesEmptyPiece { try await writer.write(.empty) }
                outcome.yield(true)
            } catch {
                outcome.yield(false)
                throw error
            }
        }
        let kept = try await eventLoop.submit { () -> NIOLoopBound<(FullOutlet, StreamSender)> in
            var stop: () -> Void = {}
            let outlet = FullOutlet { stop() }
            let framing = BodyFraming.http2(HTTP2BodyMeter(declared: 3))
            let sender = StreamSender(body, framing: framing, outlet: outlet, eventLoop: eventLoop)
            // The end of the exchange comes after the write, as a response of the peer does.
            stop = { eventLoop.execute { sender.stop(isBodySent: isBodySent) } }
            sender.pump()
            return NIOLoopBound((outlet, sender), eventLoop: eventLoop)
        }.get()
        var first = outcomes.makeAsyncIterator()
        let succeeds = await first.next()
        withExtendedLifetime(kept) {}
        guard let succeeds else { throw CancellationError() }
        return succeeds
    }
}
