// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

/// A function of the user that looks hosts up.
@Suite(.timeLimit(.minutes(10))) struct CustomResolverTests {
    private struct Unregistered: Error, CustomStringConvertible {
        let description = "no such service\u{1B}[2J"
    }

    @Test("a connection goes where the function says, and it is asked once for each connection")
    func askedOnce() async throws {
        let asked = Mutex<[String]>([])
        var configuration = NIOTransport.Configuration()
        configuration.resolver = { host in
            asked.withLock { $0.append(host) }
            return ["::1", "127.0.0.1"]
        }
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        try await withTransport(server, configuration) { transport in
            for _ in 0..<3 {
                try await transport.check(server.request(host: "billing.internal"), answers: "here")
            }
        }
        #expect(asked.withLock { $0 } == ["billing.internal"])
    }

    @Test("fixed addresses and localhost come first, and the family is respected") func precedence() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.resolver = { _ in ["::1"] }
        configuration.addresses = ["fixed.internal": ["127.0.0.1"]]
        configuration.addressFamily = .ipv4
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(host: "fixed.internal"), answers: "here")
            try await transport.check(server.request(host: "localhost"), answers: "here")
            let failure = await transport.failure(server.request(host: "other.internal"))
            #expect(failure?.kind == .lookup)
            #expect(failure?.message == "can't find the host other.internal: it has no known address")
        }
    }

    @Test("its error and texts that are not addresses end the request, printed safely") func failures() async throws {
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        var configuration = NIOTransport.Configuration()
        configuration.resolver = { host in
            if host == "a.internal" { throw Unregistered() }
            return ["nonsense"]
        }
        try await withTransport(server, configuration) { transport in
            let thrown = await transport.failure(server.request(host: "a.internal"))
            #expect(thrown?.kind == .lookup && thrown?.fate == .unsent)
            #expect(thrown?.message.contains("the resolver failed: no such service") == true)
            #expect(thrown?.message.contains("\u{1B}") == false)
            let wrong = await transport.failure(server.request(host: "b.internal"))
            #expect(wrong?.kind == .lookup)
            #expect(wrong?.message.contains("nonsense") == true)
        }
    }

    @Test("a function that never returns is limited by the time for connecting") func silent() async throws {
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        let gate = AsyncStream<Never>.makeStream()
        var configuration = NIOTransport.Configuration()
        configuration.connectTimeout = .milliseconds(50)
        configuration.resolver = { _ in
            for await _ in gate.stream {}
            return ["127.0.0.1"]
        }
        try await withTransport(server, configuration) { transport in
            let failure = await transport.failure(server.request(host: "c.internal"))
            #expect(failure?.kind == .timeout(.connect) || failure?.kind == .lookup, "\(String(describing: failure))")
        }
        gate.continuation.finish()
    }

    @Test("an address that a rule forbids is refused, also as a tunnel's target") func guarded() async throws {
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        var configuration = NIOTransport.Configuration()
        configuration.resolver = { _ in ["127.0.0.1"] }
        try await withTransport(server, configuration) { transport in
            for proxy in [nil, "http://127.0.0.1:\(server.port)"] {
                let site = Resource("https://public.example:\(server.port)", transport: transport)
                let policy = try proxy.map { try ProxyPolicy.url($0) } ?? .none
                site.setRules {
                    $0.allowedAddresses = .publicOnly
                    $0.proxy = policy
                }
                let error = await #expect(throws: CumulusError.self) { try await site.get() }
                #expect((error?.cause as? TransportFailure)?.kind == .forbiddenAddress, "\(String(describing: error))")
            }
        }
    }

    @Test("an IP address and a socket need no look-up") func address() async throws {
        let folder = try TemporaryFolder()
        var place = LoopbackServer.Configuration()
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        place.unixSocketPath = "\(folder.path)/s"
        let local = try await LoopbackServer.start(configuration: place) { $0.get("/") { _ in .text("here") } }
        var configuration = NIOTransport.Configuration()
        configuration.resolver = { _ in throw Unregistered() }
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(host: "127.0.0.1"), answers: "here")
        }
        configuration.unixSocketPath = place.unixSocketPath
        try await withTransport(local, configuration) { transport in
            try await transport.check(server.request(host: "d.internal"), answers: "here")
        }
    }

    #if os(Linux)
    @Test("of ten thousand addresses that don't respond, those that time permits are tried")
    func manyAddresses() async throws {
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        let silent = try await UnansweredPort.open(address: "127.0.0.2", port: server.port)
        var configuration = NIOTransport.Configuration()
        configuration.connectTimeout = .milliseconds(300)
        configuration.resolver = { _ in Array(repeating: "127.0.0.2", count: 10_000) }
        try await withTransport(server, configuration) { transport in
            let failure = await transport.failure(server.request(host: "e.internal"))
            #expect(failure?.kind == .timeout(.connect), "\(String(describing: failure))")
        }
        silent.shutdown()
    }
    #endif

    @Test("a tunnel's target on this machine is not looked up") func localTunnel() async throws {
        let asked = Mutex(0)
        var configuration = NIOTransport.Configuration()
        configuration.resolver = { _ in
            asked.withLock { $0 += 1 }
            return ["192.0.2.1"]
        }
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        try await withTransport(server, configuration) { transport in
            let site = Resource("https://a.localhost:\(server.port)", transport: transport)
            let proxy = try ProxyPolicy.url("http://127.0.0.1:\(server.port)")
            site.setRules {
                $0.allowedAddresses = .publicOnly
                $0.proxy = proxy
            }
            await #expect(throws: CumulusError.self) { try await site.get() }
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("responses to http requests have no known sender, so no cache keeps them") func identity() {
        var configuration = NIOTransport.Configuration()
        configuration.resolver = { _ in [] }
        let transport = NIOTransport(configuration: configuration)
        let usual = NIOTransport()
        let (plain, encrypted) = (Origin(scheme: .http, host: "a.example"), Origin(scheme: .https, host: "a.example"))
        #expect(transport.identity(at: plain) == .unknown)
        #expect(transport.identity(at: encrypted) != usual.identity(at: encrypted))
        #expect(transport.identity(at: encrypted) != .unknown)
    }
}
