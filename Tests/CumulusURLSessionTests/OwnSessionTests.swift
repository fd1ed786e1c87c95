// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusURLSession
import Foundation
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Transports over a session of the program, and with options of their own.
@Suite(.timeLimit(.minutes(10))) struct OwnSessionTests {
    private func text(_ transport: URLSessionTransport, _ server: LoopbackServer) async throws -> String? {
        try await Resource("http://127.0.0.1:\(server.port)", transport: transport)["x"].get().text
    }

    @Test("A session of the program carries the requests, with its fields and without its cookies")
    func ownSession() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in .text("seen", headers: [.setCookie: "a=1"]) }
            $0.post("/x") { .text($0.text) }
        }) { server in
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpAdditionalHeaders = ["X-Device": "managed"]
            let session = URLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            let transport = URLSessionTransport(session: session)
            #expect(try await text(transport, server) == "seen")
            #expect(try await text(transport, server) == "seen")
            let place = Resource("http://127.0.0.1:\(server.port)", transport: transport)["x"]
            #expect(try await place.post(.text("sent")).text == "sent")
            let fields = server.requests.map(\.headers)
            let device = try #require(HTTPField.Name("X-Device"))
            #expect(fields.count == 3 && fields.allSatisfy { $0[device] == "managed" })
            #expect(fields.allSatisfy { $0[.cookie] == nil })
            #expect(transport.identity(at: Origin(scheme: .https, host: "a.example")) == .unknown)
        }
    }

    @Test("A shutdown leaves the program's session open")
    func shutdownLeavesItOpen() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("seen") } }) { server in
            let session = URLSession(configuration: .ephemeral)
            defer { session.invalidateAndCancel() }
            let transport = URLSessionTransport(session: session)
            let before = try await text(transport, server)
            transport.shutdown()
            let error = await #expect(throws: CumulusError.self) { _ = try await text(transport, server) }
            #expect((error?.cause as? TransportFailure)?.kind == .shutdown)
            let after = try await text(URLSessionTransport(session: session), server)
            #expect(before == "seen" && after == "seen")
        }
    }

    @Test("A transport with other options uses the same connections and ends with the first")
    func options() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("seen") } }) { server in
            let transport = URLSessionTransport()
            let lowData = transport.with {
                $0.allowsExpensiveNetworkAccess = false
                $0.allowsConstrainedNetworkAccess = false
                $0.priority = 0.1
            }
            let texts = try await [text(transport, server), text(lowData, server)]
            #expect(texts == ["seen", "seen"])
            #expect(server.counts.connectionsAccepted == 1)
            let origin = Origin(scheme: .https, host: "a.example")
            #expect(lowData.identity(at: origin) == transport.identity(at: origin))
            transport.shutdown()
            await #expect(throws: CumulusError.self) { _ = try await text(lowData, server) }
        }
    }
}
