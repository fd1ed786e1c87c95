// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(5))) struct LateRootsTransportTests {
    private let transport = LateRootsTransport(NIOTransport.Configuration(), in: .of())
    /// A request for a port of this host where no server listens.
    private let secureRequest = TransportRequest(origin: Origin(scheme: .https, host: "127.0.0.1", port: 1))

    private func failure(_ request: TransportRequest) async -> TransportFailure.Kind? {
        do {
            _ = try await transport.send(request)
            return nil
        } catch {
            return (error as? TransportFailure)?.kind
        }
    }

    @Test func requestAfterTheEndFails() async {
        await transport.finish(within: .seconds(60))
        #expect(await failure(secureRequest) == .shutdown)
        #expect(transport.identity(at: secureRequest.origin) == .unknown)
    }

    @Test func bothTransportsEndAtTheSameTime() async throws {
        try await withLoopbackServer(raw: [.awaitHead, .hold]) { server in
            let request = TransportRequest(origin: Origin(scheme: .http, host: "127.0.0.1", port: server.port))
            let waiting = Task { [transport] in try await transport.send(request) }
            try await server.wait(for: "the connection") { $0.connectionsAccepted == 1 }
            #expect(await failure(secureRequest) == .connect)
            let end = Task { [transport] in await transport.finish(within: .seconds(3_600)) }
            // The plain request keeps its own transport from ending.
            while await failure(secureRequest) == .connect { await Task.yield() }
            #expect(await failure(secureRequest) == .shutdown)
            waiting.cancel()
            await end.value
        }
    }
}
