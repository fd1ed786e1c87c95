// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

/// Requests whose old connection broke before an answer, and which are tried on another.
@Suite(.timeLimit(.minutes(1))) struct StaleRequestTests {
    @Test("what an old connection may have taken along is not called unsent where there is no other")
    func noOther() async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = try await LoopbackServer.start(rawFor: { _ in [.awaitHead, .send(ok), .awaitHead, .hold] })
        try await withTransport(server) { transport in
            _ = try await transport.exchange(server.request())
            let task = Task { await transport.failure(server.request(.put, body: .bytes(ByteChunk("x")))) }
            while !String(decoding: server.rawInput(), as: UTF8.self).contains("PUT ") {
                // Polls: bytes that a script reads raise no count.
                try await Task.sleep(for: .milliseconds(1))
            }
            // Nobody listens any more, so the second connection fails.
            await server.shutdown()
            let failure = await task.value
            #expect(failure?.kind == .connect && failure?.sent == .something, "\(String(describing: failure))")
        }
    }
}
