// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusCore
import CumulusTesting
import Glibc
import HTTPTypes
import Testing

@testable import CumulusNIO

/// A body that the system has taken is not yet at the server.
@Suite(.timeLimit(.minutes(10))) struct SlowReaderTests {
    private static let size = 400_000

    /// The status of an upload to a server that reads a quarter of the body in each 50 seconds, and the number of bytes
    /// that it read in all.
    private func upload(
        reading quarters: Int,
        _ deadlines: TransportDeadlines
    ) async throws -> (failure: TransportFailure?, read: Int) {
        let server = PlainServer(isUnix: false, receiveBuffer: 8_192)
        let transport = NIOTransport(configuration: server.configuration)
        let clock = SteppingClock()
        let body = RequestBody.bytes(ByteChunk([UInt8](repeating: UInt8(ascii: "x"), count: Self.size)))
        var request = server.request(.post, body: body)
        request.clock = clock
        request.deadlines = deadlines
        async let failure = transport.failure(request)
        let peer = await blocking {
            let peer = server.accept()
            PlainServer.readHead(peer)
            return peer
        }
        var count = 0
        for quarter in 1...4 {
            let wanted = quarter <= quarters ? Self.size / 4 * quarter : 0
            count = await blocking { [count] in
                var count = count
                while count < wanted, case let more = PlainServer.read(peer), !more.isEmpty { count += more.count }
                return count
            }
            // The time goes on only when the transport has seen what was read.
            if quarter <= quarters { try await clock.awaitLooks() }
            clock.advance(by: .seconds(50))
        }
        if count >= Self.size { PlainServer.send(peer, PlainServer.answer) }
        let result = await failure
        close(peer)
        await transport.shutdown(.immediate)
        return (result, count)
    }

    @Test("a server that reads steadily is not silent, however much the system holds for it", arguments: [false, true])
    func steady(hasResponseLimit: Bool) async throws {
        let limit = Duration.seconds(60)
        let deadlines = TransportDeadlines(idle: limit, response: hasResponseLimit ? limit : nil)
        let end = try await upload(reading: 4, deadlines)
        #expect(end.failure == nil)
        #expect(end.read == Self.size)
    }

    @Test("a server that reads no more is silent")
    func stopped() async throws {
        let end = try await upload(reading: 1, TransportDeadlines(idle: .seconds(60)))
        #expect(end.failure?.kind == .timeout(.response))
        #expect(end.read < Self.size)
    }
}
#endif
