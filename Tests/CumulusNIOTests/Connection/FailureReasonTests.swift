// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

/// The reason of a failure as a value, for each sort of bytes that a server may send instead of a response.
@Suite(.timeLimit(.minutes(10))) struct FailureReasonTests {
    @Test(
        "the reason of an alert, and of bytes that are not TLS, is a value",
        arguments: [
            ([21, 3, 3, 0, 2, 2, 120], .noApplicationProtocol), ([21, 3, 3, 0, 2, 2, 116], .missingClientCertificate),
            ([21, 3, 3, 0, 2, 2, 40], nil), (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), .notTLS),
            (Array("SSH-2.0-x\r\n".utf8), .notTLS),
        ] as [([UInt8], TransportFailure.Reason?)]
    )
    func reasons(bytes: [UInt8], reason: TransportFailure.Reason?) async throws {
        let server = try await LoopbackServer.start(raw: [.awaitBytes(100), .send(bytes), .hold])
        try await withTransport(server) { transport in
            var request = server.request()
            request.origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
            let failure = await transport.failure(request)
            #expect(failure?.kind == .tls && failure?.reason == reason, "\(failure as Any)")
        }
    }

    @Test(
        "a response that does not begin as HTTP/1 has its reason",
        arguments: ["SSH-2.0-x\r\n", "HTTP/2 200\r\n\r\n"]
    )
    func otherProtocols(text: String) async throws {
        let server = try await LoopbackServer.start(raw: [.awaitBytes(10), .send(Array(text.utf8)), .hold])
        try await withTransport(server) { transport in
            let failure = await transport.failure(server.request())
            #expect(failure?.kind == .malformedResponse && failure?.reason == .notHTTP1, "\(failure as Any)")
        }
    }
}
