// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct StreamingTests {
    @Test func holdsThePeerBackWhileNobodyReads() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 200 OK\r\n\r\n"), .repeating([UInt8](repeating: 1, count: 65_536))]
        )
        try await withTransport(server) { transport in
            let response = try await transport.send(server.request())
            let stalled = try await server.waitForSendingToStall()
            // The size of both sides' socket buffers, and our own 256 KiB.
            #expect(stalled < 32 * 1_024 * 1_024)
            var read = 0
            while read < stalled + 1_000_000, let chunk = try await response.body.next() { read += chunk.count }
            #expect(server.counts.bytesSent > stalled)
            response.body.cancel()
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func readsALargeBodyWhole() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/:n") { request in
                let count = Int(request.parameters["n"] ?? "") ?? 0
                return .stream { writer in
                    for index in 0..<count {
                        try await writer.write([UInt8](repeating: UInt8(index % 251), count: 9_973))
                    }
                }
            }
        }
        try await withTransport(server) { transport in
            for count in [1, 100, 2_000] {
                let response = try await transport.send(server.request(.get, "/\(count)"))
                var total = 0
                while let chunk = try await response.body.next() {
                    // The first byte of a piece shows whether pieces were lost or swapped; checking the rest would take
                    // long.
                    let first = chunk.withUnsafeBytes { $0[0] }
                    #expect(first == UInt8(total / 9_973 % 251))
                    total += chunk.count
                }
                #expect(total == count * 9_973)
                #expect(response.body.end?.facts.bytesReceived ?? 0 > Int64(total))
            }
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func theHeadComesBeforeTheBodyHasEnded() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start(
            raw: [
                .awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .gate(gate), .send("ok"), .hold,
            ]
        )
        try await withTransport(server) { transport in
            let response = try await transport.send(server.request())
            #expect(response.head.status == .ok)
            #expect(response.body.end == nil)
            gate.open()
            #expect(try await response.body.next()?.bytes == Array("ok".utf8))
            #expect(try await response.body.next() == nil)
            #expect(response.body.end?.facts.protocolName == "HTTP/1.1")
        }
    }
}
