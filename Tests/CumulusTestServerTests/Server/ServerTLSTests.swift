// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import NIOSSL
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServerTLSTests {
    private static let get = "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    private func exchange(_ tls: ServerTLS, trusting root: String, host: String = "localhost") async throws -> String {
        try await withLoopbackServer(tls: tls, routes: { $0.get("/x") { _ in .text("safe") } }) { server in
            #expect(server.url.hasPrefix("https://127.0.0.1:"))
            return try await RawClient.connect(server.port, trusting: root, host: host) { client in
                try await client.send(Self.get)
                return await client.readToEnd().text
            }
        }
    }

    @Test func servesWithACertificateOfAnAuthority() async throws {
        let authority = try TestCertificateAuthority()
        let text = try await exchange(.issued(by: authority), trusting: authority.rootPEM)
        #expect(text.hasSuffix("\r\n\r\nsafe"))
    }

    @Test func servesWithASelfSignedCertificate() async throws {
        let tls = try ServerTLS.selfSigned()
        #expect(try await exchange(tls, trusting: tls.rootPEM).hasSuffix("\r\n\r\nsafe"))
    }

    @Test(arguments: ["unknown authority", "expired", "not yet valid", "wrong host"])
    func isRefused(because reason: String) async throws {
        let authority = try TestCertificateAuthority()
        let tls: ServerTLS
        switch reason {
        case "expired": tls = try .issued(by: authority, validity: .expired)
        case "not yet valid": tls = try .issued(by: authority, validity: .notYetValid)
        case "wrong host": tls = try .issued(by: authority, hosts: ["elsewhere.invalid"])
        default: tls = try .issued(by: TestCertificateAuthority())
        }
        await #expect(throws: (any Error).self) {
            _ = try await exchange(tls, trusting: authority.rootPEM)
        }
    }

    @Test func recordsAFailedHandshake() async throws {
        try await withLoopbackServer(tls: .selfSigned()) { server in
            _ = try await RawClient.exchange(server.port, "GET / HTTP/1.1\r\n\r\n")
            try await server.wait(for: "a failure") { $0.failures == 1 }
            #expect(server.failures.first?.hasPrefix("TLS") == true)
        }
    }

    @Test func endsWithoutAFarewellWhenToldToClose() async throws {
        let tls = try ServerTLS.selfSigned()
        let server = try await LoopbackServer.start(tls: tls, raw: [.awaitHead, .send("part"), .close])
        let answer = try await RawClient.connect(server.port, trusting: tls.rootPEM) { client in
            try await client.send(Self.get)
            return await client.readToEnd()
        }
        #expect(answer.text == "part")
        // NIOSSL reports a missing close_notify as an unclean shutdown.
        #expect(answer.ending == .reset)
        await server.shutdown()
    }
}
