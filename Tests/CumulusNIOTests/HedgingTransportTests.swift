// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

/// Hedged requests on sockets, and the end of the loser.
@Suite(.timeLimit(.minutes(1))) struct HedgingTransportTests {
    /// Holds back the first response until the gate opens.
    private func routes(_ gate: Gate) -> (inout Routes) -> Void {
        { routes in
            routes.get("/") { request in
                if request.connection == 1, request.numberOnConnection == 1 { try await gate.wait() }
                return .text("connection \(request.connection), request \(request.numberOnConnection)")
            }
        }
    }

    @Test func theLoserOfHTTP1IsClosedAndTheWinnerKept() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start(routes: routes(gate))
        try await withTransport(server) { transport in
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport)
            site.hedging = .after(.milliseconds(20))
            let response = try await site.get()
            #expect(response.text == "connection 2, request 1")
            #expect(response.attempts.map { $0.hedge?.winner } == [1])
            try await transport.waitForConnections(all: 1, idle: 1)
            // On a busy machine this one would be hedged, too, and over another connection.
            site.hedging = nil
            #expect(try await site.get().text == "connection 2, request 2")
            gate.open()
        }
    }

    @Test func theLoserOfHTTP2IsAResetStream() async throws {
        let gate = Gate()
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority, hosts: ["127.0.0.1"])
        tls.applicationProtocols = ["h2"]
        var settings = LoopbackServer.Configuration()
        settings.http2 = .negotiated
        let server = try await LoopbackServer.start(tls: tls, configuration: settings, routes: routes(gate))
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(Array(authority.rootPEM.utf8))
        try await withTransport(server, configuration) { transport in
            let site = Resource("https://127.0.0.1:\(server.port)", transport: transport)
            // After the handshake, so that both use the connection.
            site.hedging = .after(.milliseconds(300))
            let response = try await site.get()
            #expect(response.text == "connection 1, request 2")
            #expect(response.attempts.map { $0.hedge?.winner } == [1])
            try await transport.waitForConnections(all: 1, idle: 1)
            #expect(try await transport.runningCount() == 0)
            gate.open()
        }
    }
}
