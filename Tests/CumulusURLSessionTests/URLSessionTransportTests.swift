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

@Suite(.timeLimit(.minutes(10))) struct URLSessionTransportTests {
    private func request(_ server: LoopbackServer, method: HTTPRequest.Method = .get) -> TransportRequest {
        TransportRequest(
            method: method,
            origin: Origin(scheme: .http, host: "127.0.0.1", port: server.port),
            target: "/x"
        )
    }

    @Test func refusesAGetWithABody() async throws {
        try await withLoopbackServer { server in
            var get = request(server)
            get.body = .bytes(ByteChunk("x"))
            let transport = URLSessionTransport()
            let work = Task { [get] in try await transport.send(get) }
            let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
            #expect(failure?.kind == .unsupported)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func refusesTrailers() async throws {
        try await withLoopbackServer { server in
            var post = request(server)
            post.method = .post
            post.body = .stream(StreamBody(contents: { _, _ in }, trailers: { [.eTag: "1"] }))
            let transport = URLSessionTransport()
            let work = Task { [post] in try await transport.send(post) }
            let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
            #expect(failure?.kind == .unsupported && failure?.message.contains("trailers") == true)
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport)
            let payload = Payload.text("text").trailer("X-One") { "1" }
            let error = await #expect(throws: CumulusError.self) { try await site["x"].post(payload) }
            #expect(error?.code == .unsupported && error?.message.contains("URLSessionTransport") == true)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test("a request with an address policy is refused: URLSession doesn't show its addresses")
    func refusesAPolicyOfAddresses() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("secret") } }) { server in
            var guarded = request(server)
            let policy = try AddressPolicy.publicOnly(allowing: "127.0.0.1")
            guarded.allowedAddresses = policy
            let transport = URLSessionTransport()
            let work = Task { [guarded] in try await transport.send(guarded) }
            let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
            #expect(failure?.kind == .unsupported && failure?.message.contains("allowedAddresses") == true)
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport)
            site.setRules { $0.allowedAddresses = policy }
            let error = await #expect(throws: CumulusError.self) { try await site["x"].get() }
            #expect(error?.code == .unsupported && error?.message.contains("URLSessionTransport") == true)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func shutdownEndsWhatIsRunningAndRefusesTheRest() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .silence } }) { server in
            let transport = URLSessionTransport()
            let work = Task { try await transport.send(request(server)) }
            try await server.waitForRequests(1)
            transport.shutdown()
            let running = await #expect(throws: TransportFailure.self) { _ = try await work.value }
            #expect(running?.kind == .shutdown)
            let late = await #expect(throws: TransportFailure.self) { _ = try await transport.send(request(server)) }
            #expect(late?.kind == .shutdown)
            try await server.waitForOpenConnections(0)
        }
    }

    @Test("A shutdown while a body is still produced refuses its request; a task made after it would end the program")
    func shutdownWhileSpooling() async throws {
        try await withLoopbackServer(routes: { $0.post("/x") { _ in .text("") } }) { server in
            let transport = URLSessionTransport()
            var request = request(server, method: .post)
            request.body = .stream(
                StreamBody { _, writer in
                    try await writer.write(ByteChunk("begun"))
                    transport.shutdown()
                    try await writer.write(ByteChunk("and ended"))
                }
            )
            let work = Task { [request] in try await transport.send(request) }
            let failure = await #expect(throws: TransportFailure.self) { _ = try await work.value }
            #expect(failure?.kind == .shutdown)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func theCallersConfigurationStaysAsItIs() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 17
        configuration.httpMaximumConnectionsPerHost = 3
        configuration.httpShouldSetCookies = true
        _ = URLSessionTransport(configuration: configuration)
        #expect(configuration.timeoutIntervalForRequest == 17)
        #expect(configuration.httpMaximumConnectionsPerHost == 3)
        #expect(configuration.httpShouldSetCookies)
    }

    @Test("it refuses a server that only given trust roots would trust")
    func trustIsTheSystems() async throws {
        let transport = URLSessionTransport()
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        try await withLoopbackServer(tls: tls, routes: { $0.get("/x") { _ in .text("let in") } }) { server in
            let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
            let request = TransportRequest(origin: origin, target: "/x")
            let failure = await #expect(throws: TransportFailure.self) { _ = try await transport.send(request) }
            #expect(failure?.kind == .tls)
            #expect(server.requests.isEmpty)
        }
    }

    #if !canImport(Darwin)
    @Test func aProxyThatItCouldNotUseIsRefusedByName() async throws {
        try await withLoopbackServer { server in
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = ["HTTPEnable": 1]
            let transport = URLSessionTransport(configuration: configuration)
            let failure = await #expect(throws: TransportFailure.self) { _ = try await transport.send(request(server)) }
            #expect(failure?.kind == .unsupported)
            #expect(failure?.message.contains("connectionProxyDictionary") == true)
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport)
            let error = await #expect(throws: CumulusError.self) { _ = try await site.get() }
            #expect(error?.code == .unsupported)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func anUnreadBodyIsBoundedInMemory() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in .script([.repeating([UInt8](repeating: 65, count: 64 * 1024))]) }
        }) { server in
            let transport = URLSessionTransport(unreadLimit: 4 * 1024 * 1024)
            let response = try await transport.send(request(server))
            // The session continues to read until the limit ends the exchange.
            try await server.waitForOpenConnections(0)
            let failure = await #expect(throws: TransportFailure.self) { _ = try await response.body.next() }
            #expect(failure?.message.contains("unread") == true)
        }
    }
    #endif

    @Test func sendsAStreamThatWasSpooled() async throws {
        try await withLoopbackServer(routes: { $0.post("/x") { .text($0.text) } }) { server in
            var request = request(server, method: .post)
            request.body = .stream(StreamBody { _, writer in try await writer.write(ByteChunk("streamed")) })
            let response = try await URLSessionTransport().send(request)
            while try await response.body.next() != nil {}
            #expect(server.requests.first?.text == "streamed")
        }
    }
}
