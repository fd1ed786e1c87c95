// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Testing

@testable import CumulusNIO

/// The end of a process that quickly got its response.
@Suite(.timeLimit(.minutes(10))) struct HTTP2FarewellTests {
    private static let ping: UInt8 = 6
    private static let goAway: UInt8 = 7

    private func waitForGoAway(_ server: FrameServer) async throws {
        while !server.frames.contains(where: { $0.frame.type == Self.goAway }) {
            // Polls: the server has no gate for what it reads.
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test func aPINGBehindTheAnswerIsAcknowledgedBeforeTheEnd() async throws {
        let server = try await FrameServer.start { _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            if frame.isRequest { return HTTP2Bytes.answer(frame.stream, "ok") + HTTP2Bytes.ping() }
            guard frame.type == Self.ping, frame.flags == 0 else { return [] }
            return HTTP2Bytes(type: Self.ping, flags: 1, payload: frame.payload).bytes
        }
        let transport = NIOTransport()
        try await transport.check(server.request(), answers: "ok")
        await transport.finish(within: .seconds(30))
        try await waitForGoAway(server)
        let types = server.frames.map { ($0.frame.type, $0.frame.flags) }
        #expect(types.contains { $0 == (Self.ping, 1) })
        #expect(types.contains { $0.0 == Self.goAway })
        server.shutdown()
    }

    @Test func aPeerThatIsSilentIsLeftBehind() async throws {
        let server = try await FrameServer.start { _, frame in
            if frame.isSettings { return HTTP2Bytes.settings() }
            return frame.isRequest ? HTTP2Bytes.answer(frame.stream, "ok") : []
        }
        let transport = NIOTransport()
        try await transport.check(server.request(), answers: "ok")
        // It never acknowledges our PING; without the limit this test would never end.
        await transport.finish(within: .milliseconds(20))
        try await waitForGoAway(server)
        #expect(await transport.failure(server.request())?.kind == .shutdown)
        server.shutdown()
    }
}
