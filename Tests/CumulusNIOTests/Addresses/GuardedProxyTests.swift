// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Testing

@testable import CumulusNIO

/// Requests that may only connect to public addresses, through proxies, which would look names up themselves.
@Suite(.timeLimit(.minutes(10))) struct GuardedProxyTests {
    private let authority: TestCertificateAuthority

    init() throws { authority = try TestCertificateAuthority() }

    private func server(isSecure: Bool) async throws -> LoopbackServer {
        let tls = isSecure ? try ServerTLS.issued(by: authority, hosts: ["site.invalid", "127.0.0.1"]) : nil
        return try await LoopbackServer.start(tls: tls) { routes in
            routes.get("/") { request in .text(HTTPField.Name("Host").flatMap { request.headers[$0] } ?? "-") }
        }
    }

    private func configuration(_ addresses: [String] = ["127.0.0.1"]) -> NIOTransport.Configuration {
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        configuration.addresses["site.invalid"] = addresses
        return configuration
    }

    private func request(
        _ server: LoopbackServer,
        _ policy: AddressPolicy,
        by proxy: Proxy,
        host: String = "site.invalid"
    )
        -> TransportRequest
    {
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
        "a tunnel leads to the checked address, and TLS to the name",
        arguments: [(Proxy.Scheme.http, true), (.socks5, true), (.socks5, false), (.socks4a, true), (.socks4a, false)]
    )
    func tunnels(_ scheme: Proxy.Scheme, _ isSecure: Bool) async throws {
        let (server, proxy) = (try await server(isSecure: isSecure), try await LoopbackProxy.start())
        try await withTransport(server, configuration(["10.0.0.1", "::1", "127.0.0.1"])) { transport in
            let policy = try AddressPolicy.publicOnly(allowing: "127.0.0.1, ::1")
            let allowed = request(server, policy, by: try proxy.proxy(scheme))
            // IPv4 first: whether the proxy has IPv6 isn't known. The certificate is compared with the name.
            try await transport.check(allowed, answers: "site.invalid:\(server.port)")
            #expect(proxy.record.targets == ["127.0.0.1:\(server.port)"])
            try await transport.check(allowed, answers: "site.invalid:\(server.port)")
            #expect(proxy.record.targets.count == 1)
            #expect(
                refusal(await transport.failure(request(server, .publicOnly, by: try proxy.proxy(scheme))))?.host
                    == "site.invalid"
            )
            // A connection without a policy is a different one.
            try await transport.check(
                request(server, .any, by: try proxy.proxy(scheme)),
                answers: "site.invalid:\(server.port)"
            )
            #expect(proxy.record.targets == ["127.0.0.1:\(server.port)", "site.invalid:\(server.port)"])
        }
        proxy.shutdown()
    }

    @Test(
        "a proxy learns nothing of a host whose addresses are all refused",
        arguments: [
            Proxy.Scheme.http, .socks5, .socks4a,
        ]
    )
    func refusedTargets(_ scheme: Proxy.Scheme) async throws {
        let (server, proxy) = (try await server(isSecure: true), try await LoopbackProxy.start())
        try await withTransport(server, configuration(["127.0.0.1", "::1"])) { transport in
            let failure = await transport.failure(request(server, .publicOnly, by: try proxy.proxy(scheme)))
            #expect(refusal(failure)?.rule == .loopback)
            #expect(failure?.message.contains("(::1)") == true && failure?.message.contains("(127.0.0.1)") == true)
            for host in ["127.0.0.1", "::1"] {
                let literal = request(server, .publicOnly, by: try proxy.proxy(scheme), host: host)
                #expect(refusal(await transport.failure(literal))?.rule == .loopback)
            }
            // Through the system's look-up.
            let named = request(server, .publicOnly, by: try proxy.proxy(scheme), host: "localhost")
            #expect(refusal(await transport.failure(named))?.rule == .loopback)
            let unknown = request(server, .publicOnly, by: try proxy.proxy(scheme), host: "nowhere.invalid")
            #expect(await transport.failure(unknown)?.kind == .lookup)
        }
        #expect(proxy.record.connections == 0 && proxy.record.targets.isEmpty)
        proxy.shutdown()
    }

    @Test("a plain request to a name, which the proxy would look up, is refused") func plainRequests() async throws {
        let (server, proxy) = (try await server(isSecure: false), try await LoopbackProxy.start())
        try await withTransport(server, configuration()) { transport in
            let http = try proxy.proxy()
            let failure = await transport.failure(request(server, .publicOnly, by: http))
            #expect(refusal(failure)?.rule == .lookedUpByProxy)
            let literal = request(server, .publicOnly, by: http, host: "127.0.0.1")
            #expect(refusal(await transport.failure(literal))?.rule == .loopback)
            #expect(proxy.record.heads.isEmpty)
            // An address is unambiguous, and a name may be allowed as such.
            for host in ["127.0.0.1", "site.invalid"] {
                let allowed = request(server, try .publicOnly(allowing: host), by: http, host: host)
                try await transport.check(allowed, answers: "\(host):\(server.port)")
            }
            #expect(proxy.record.heads.count == 2)
        }
        proxy.shutdown()
    }

    @Test("the proxy may look up a name that is allowed as such") func allowedNames() async throws {
        let (server, proxy) = (try await server(isSecure: true), try await LoopbackProxy.start())
        try await withTransport(server, configuration()) { transport in
            let allowed = request(server, try .publicOnly(allowing: "site.invalid"), by: try proxy.proxy())
            try await transport.check(allowed, answers: "site.invalid:\(server.port)")
            #expect(proxy.record.targets == ["site.invalid:\(server.port)"])
        }
        proxy.shutdown()
    }

    @Test func socks4aHasNoAddressOfIPv6() async throws {
        let (server, proxy) = (try await server(isSecure: false), try await LoopbackProxy.start())
        try await withTransport(server, configuration(["::1"])) { transport in
            let policy = try AddressPolicy.publicOnly(allowing: "::1")
            let failure = await transport.failure(request(server, policy, by: try proxy.proxy(.socks4a)))
            #expect(failure?.kind == .unsupported && failure?.message.contains("SOCKS 4a") == true)
            #expect(proxy.record.connections == 0)
        }
        proxy.shutdown()
    }
}
