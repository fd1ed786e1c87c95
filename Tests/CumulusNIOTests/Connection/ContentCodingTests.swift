// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct ContentCodingTests {
    @Test func aCodedBodyComesDecodedAndItsConnectionIsUsedAgain() async throws {
        // "hello", from Python's `gzip.compress`.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0,
            0x86, 0xA6, 0x10, 0x36, 0x05, 0, 0, 0,
        ]
        let server = try await LoopbackServer.start { routes in
            routes.get("/x") { _ in ServerResponse(headers: [.contentEncoding: "gzip"], body: gzip) }
        }
        try await withTransport(server) { transport in
            let site = Resource("\(server.url)", transport: transport.watched)
            for reuses in [false, true] {
                let response = try await site["x"].get()
                #expect(response.text == "hello")
                #expect(response.facts.isReused == reuses)
                #expect(response.receivedHeaders[.contentEncoding] == "gzip")
            }
        }
    }
}
