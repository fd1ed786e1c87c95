// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Testing

/// squid, tinyproxy and microsocks between us and nginx.
@Suite(.enabled(if: InteropServers.squid != nil, "\(InteropServers.reason)"))
struct InteropProxyTests {
    private struct Missing: Error {}

    private static let all = [
        InteropServers.squid, InteropServers.squidUser, InteropServers.squidTLS, InteropServers.tinyproxy,
        InteropServers.socks,
    ]

    private func withTransport(_ body: (NIOTransport) async throws -> Void) async throws {
        guard let folder = InteropServers.certificates else { throw Missing() }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .files(["\(folder)/ca.pem"])
        try await NIOTransport.withTransport(configuration, body)
    }

    private func proxy(_ url: String?) throws -> Proxy {
        guard let url else { throw Missing() }
        return try Proxy(url)
    }

    @Test(arguments: all) func eachLeadsToPlainAndSecureServers(_ url: String?) async throws {
        let proxy = try proxy(url)
        try await withTransport { transport in
            for (server, name) in [(InteropServers.nginx, "HTTP/1.1"), (InteropServers.nginxTLS, "h2")] {
                guard let server else { throw Missing() }
                let site = Resource(server, transport: transport) { $0.proxy = .by(proxy) }
                for _ in 0..<3 {
                    let response = try await site["hello.txt"].get().requireSuccess()
                    #expect(response.text == "hello from nginx\n")
                    #expect(response.facts.proxy == proxy && response.facts.protocolName == name)
                }
                let bytes = try await site["big.bin"].get(as: [UInt8].self)
                #expect(bytes.count == 64 << 20)
                #expect(bytes[8 * 1_234_567 + 7] == UInt8(truncatingIfNeeded: 1_234_567))
            }
        }
    }

    @Test(arguments: [InteropServers.squidUser, InteropServers.tinyproxy, InteropServers.socks])
    func nobodyElseIsLetThrough(_ url: String?) async throws {
        let known = try proxy(url)
        let eve = Credentials(user: "eve", password: "secret")
        try await withTransport { transport in
            for server in [InteropServers.nginx, InteropServers.nginxTLS] {
                guard let server else { throw Missing() }
                for credentials in [nil, eve] {
                    let site = Resource(server, transport: transport)
                    let proxy = try Proxy(known.scheme, host: known.host, port: known.port, credentials: credentials)
                    site.setRules { $0.proxy = .by(proxy) }
                    // tinyproxy 1.11 answers 401 instead of 407 to wrong credentials, which looks like the server's own
                    // response.
                    if url == InteropServers.tinyproxy, credentials != nil, server == InteropServers.nginx {
                        #expect(try await site["hello.txt"].get().statusCode == 401)
                        continue
                    }
                    let error = await #expect(throws: CumulusError.self) { try await site["hello.txt"].get() }
                    #expect(error?.code == .proxy, "\(error as Any)")
                    #expect(error?.message.contains("the proxy \(known)") == true)
                    #expect("\(error as Any)".contains("secret") == false)
                    let refusal = (error?.cause as? TransportFailure)?.cause as? ProxyRefusal
                    #expect(refusal?.reason == .credentials || refusal?.reason == .status(401))
                }
            }
        }
    }
}
