// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Requests that may only connect to public addresses, against servers of this machine, which has none.
@Suite(.timeLimit(.minutes(10))) struct AddressGuardTests {
    private func greet(_ routes: inout Routes) {
        routes.get("/") { request in .text("connection \(request.connection)") }
        routes.get("/to") { request in .redirect(to: (request.queryItems.first?.value ?? nil) ?? "") }
    }

    private func request(
        _ server: LoopbackServer,
        _ host: String,
        _ policy: AddressPolicy = .publicOnly,
        by proxy: Proxy? = nil
    ) -> TransportRequest {
        var request = server.request(host: host)
        request.allowedAddresses = policy
        request.proxy = proxy
        return request
    }

    private func refusal(_ failure: TransportFailure?) -> AddressRefusal? {
        #expect(failure?.kind == .forbiddenAddress && failure?.fate == .unsent, "\(String(describing: failure))")
        return failure?.cause as? AddressRefusal
    }

    @Test(
        "an address is refused no matter who looked up the name",
        arguments: [
            "127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254", "fe80::1", "::", "0.0.0.0",
        ]
    )
    func givenAddresses(_ address: String) async throws {
        let server = try await LoopbackServer.start(routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.addresses["innocent.invalid"] = [address]
        try await withTransport(server, configuration) { transport in
            let failure = await transport.failure(request(server, "innocent.invalid"))
            let refusal = refusal(failure)
            #expect(refusal?.host == "innocent.invalid")
            #expect(refusal?.address == (address == "::ffff:127.0.0.1" ? "127.0.0.1" : address))
            #expect(failure?.message.contains("innocent.invalid") == true)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test("a name that the system knows is checked after its look-up") func systemNames() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        try await withTransport(server) { transport in
            let refusal = refusal(await transport.failure(request(server, "localhost")))
            #expect(refusal?.host == "localhost" && refusal?.rule == .loopback)
            #expect(server.counts.connectionsAccepted == 0)
            // The same address may be allowed, by name or by address.
            for list in ["localhost", "127.0.0.1, ::1", "127.0.0.0/8"] {
                let allowed = request(server, "localhost", try .publicOnly(allowing: list))
                #expect(try await transport.exchange(allowed).status == 200)
            }
        }
    }

    #if os(Linux)
    @Test(
        "numbers that the system reads as addresses are checked as such",
        arguments: [
            "127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "0", "127.0.0.1.",
        ]
    )
    func numbers(_ host: String) async throws {
        let server = try await LoopbackServer.start(routes: greet)
        try await withTransport(server) { transport in
            let failure = await transport.failure(request(server, host))
            // If the system doesn't know such a number, it is an unknown name.
            #expect(failure?.kind == .forbiddenAddress || failure?.kind == .lookup, "\(String(describing: failure))")
            #expect(server.counts.connectionsAccepted == 0)
        }
    }
    #endif

    @Test("addresses in the request are checked, regardless of the core") func literals() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        try await withTransport(server) { transport in
            for host in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
                #expect(refusal(await transport.failure(request(server, host)))?.rule == .loopback)
            }
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    #if os(Linux)
    @Test("if a host has several addresses, the refused ones are left out") func skipping() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.addresses["mixed.invalid"] = ["::1", "127.0.0.2", "127.0.0.1", "10.0.0.1"]
        try await withTransport(server, configuration) { transport in
            // All of 127.0.0.0/8 would answer.
            let policy = try AddressPolicy.publicOnly(allowing: "127.0.0.1")
            let facts = try await transport.exchange(request(server, "mixed.invalid", policy)).facts
            #expect(facts.remoteAddress == "127.0.0.1:\(server.port)")
            try await transport.waitForConnections(all: 1, idle: 1)
            let all = await transport.failure(request(server, "mixed.invalid"))
            #expect(refusal(all) != nil)
            for address in ["::1", "127.0.0.2", "127.0.0.1", "10.0.0.1"] {
                #expect(all?.message.contains("(\(address))") == true, "\(all?.message ?? "")")
            }
        }
    }
    #endif

    @Test("the error is that of an unreachable allowed address, not of the refused ones")
    func mixedFailure() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.addresses["mixed.invalid"] = ["10.0.0.1", "127.0.0.1"]
        await server.shutdown()
        try await withTransport(server, configuration) { transport in
            let policy = try AddressPolicy.publicOnly(allowing: "127.0.0.1")
            let failure = await transport.failure(request(server, "mixed.invalid", policy))
            #expect(failure?.kind == .connect && failure?.message.contains("private address") == true)
        }
    }

    @Test("a connection made without the guard, or under another policy, is not used under it")
    func pooledConnections() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        try await withTransport(server) { transport in
            let free = request(server, "localhost", .any)
            try await transport.check(free, answers: "connection 1")
            // Idle, and on the shelf for callers.
            try await transport.check(free, answers: "connection 1")
            #expect(refusal(await transport.failure(request(server, "localhost")))?.rule == .loopback)
            let one = request(server, "localhost", try .publicOnly(allowing: "localhost"))
            let other = request(server, "localhost", try .publicOnly(allowing: "127.0.0.0/8 ::1"))
            try await transport.check(one, answers: "connection 2")
            try await transport.check(other, answers: "connection 3")
            try await transport.check(one, answers: "connection 2")
            try await transport.check(free, answers: "connection 1")
            #expect(refusal(await transport.failure(request(server, "localhost")))?.rule == .loopback)
        }
    }

    @Test("the same for a shared connection (HTTP/2)") func sharedConnections() async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority, hosts: ["localhost"])
        tls.applicationProtocols = ["h2"]
        var settings = LoopbackServer.Configuration()
        settings.http2 = .negotiated
        let server = try await LoopbackServer.start(tls: tls, configuration: settings, routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        try await withTransport(server, configuration) { transport in
            #expect(try await transport.exchange(request(server, "localhost", .any)).facts.protocolName == "h2")
            #expect(refusal(await transport.failure(request(server, "localhost")))?.rule == .loopback)
            let allowed = request(server, "localhost", try .publicOnly(allowing: "localhost"))
            #expect(try await !transport.exchange(allowed).facts.isReused)
            #expect(try await transport.exchange(allowed).facts.isReused)
        }
    }

    @Test(
        "each hop of a redirect is checked",
        arguments: [
            "http://127.0.0.1:PORT/", "http://[::ffff:127.0.0.1]:PORT/", "http://localhost:PORT/",
            "http://two.invalid:PORT/",
            "http://0x7f.1:PORT/", "http://2130706433:PORT/",
        ]
    )
    func redirects(_ location: String) async throws {
        let server = try await LoopbackServer.start(routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.addresses = ["one.invalid": ["127.0.0.1"], "two.invalid": ["127.0.0.1"]]
        try await withTransport(server, configuration) { transport in
            let site = Resource("http://one.invalid:\(server.port)", transport: transport.watched)
            let policy = try AddressPolicy.publicOnly(allowing: "one.invalid")
            site.setRules { $0.allowedAddresses = policy }
            site.setRules { $0.retry = RetryPolicy(limit: 3, backoff: RetryBackoff(base: .zero)) }
            let place = location.replacing("PORT", with: "\(server.port)")
            let error = await #expect(throws: CumulusError.self) {
                try await site["to"].get(query: ["place": .init(place)])
            }
            if location.hasPrefix("http://0x") || location.hasPrefix("http://2") {
                // Not a URL.
                #expect(error?.code != .addressRefused)
            } else {
                #expect(error?.code == .addressRefused, "\(error as Any)")
            }
            #expect(server.counts.requestsReceived == 1 && server.counts.connectionsAccepted == 1)
            site.setRules { $0.allowedAddresses = .any }
            if error?.code == .addressRefused, !location.contains("::") {
                #expect(try await site["to"].get(query: ["place": .init(place)]).isSuccessful)
            }
        }
    }

    @Test("a Unix domain socket is refused") func unixSockets() async throws {
        let path = "/tmp/cumulus-\(UUID().uuidString.prefix(8)).socket"
        var settings = LoopbackServer.Configuration()
        settings.unixSocketPath = path
        let server = try await LoopbackServer.start(configuration: settings, routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.unixSocketPath = path
        try await withTransport(server, configuration) { transport in
            var request = TransportRequest(origin: Origin(scheme: .http, host: "docker"))
            #expect(try await transport.exchange(request).status == 200)
            for policy in [AddressPolicy.publicOnly, try .publicOnly(allowing: "docker")] {
                request.allowedAddresses = policy
                #expect(refusal(await transport.failure(request))?.rule == .unixSocket)
                request.proxy = try Proxy("http://127.0.0.1:1")
                #expect(refusal(await transport.failure(request))?.rule == .unixSocket)
                request.proxy = nil
            }
        }
    }
}
