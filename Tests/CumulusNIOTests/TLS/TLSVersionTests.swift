// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct TLSVersionTests {
    private typealias Version = NIOTransport.Configuration.TLS.Version

    @Test("a server is refused if its newest version of TLS is older than the oldest accepted one")
    func oldestVersion() async throws {
        let authority = try TestCertificateAuthority()
        let cases: [(offered: ServerTLS.Version, accepted: Version, isServed: Bool)] = [
            (.tls12, .tls12, true), (.tls12, .tls13, false), (.tls13, .tls12, true), (.tls13, .tls13, true),
        ]
        for (offered, accepted, isServed) in cases {
            var tls = try ServerTLS.issued(by: authority)
            tls.maximumVersion = offered
            var configuration = NIOTransport.Configuration()
            configuration.tls.trustRoots = .pem(authority.rootPEM)
            configuration.tls.minimumVersion = accepted
            let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("ok") } }
            try await withTransport(server, configuration) { transport in
                if isServed {
                    try await transport.check(server.request(), answers: "ok")
                    return
                }
                let failure = await transport.failure(server.request())
                #expect(failure?.kind == .tls && failure?.fate == .unsent, "\(failure as Any)")
                #expect(failure?.message.contains("alert protocol version") == true, "\(failure?.message ?? "")")
                #expect(server.counts.requestsBegun == 0)
            }
        }
    }

    @Test("by default a server with TLS 1.2 is accepted")
    func defaultVersion() throws {
        #expect(NIOTransport.Configuration().tls.minimumVersion == .tls12)
        #expect(try ServerTLS.selfSigned().maximumVersion == .tls13)
    }
}
