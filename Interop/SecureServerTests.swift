// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import HTTPTypes
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// TLS with nginx and Apache, with certificates made by openssl.
@Suite(.enabled(if: InteropServers.certificates != nil, "\(InteropServers.reason)"))
struct SecureServerTests {
    private typealias TLS = NIOTransport.Configuration.TLS

    private struct Missing: Error {}

    /// A transport that trusts the tests' certificate authority.
    private func configuration(_ change: (inout NIOTransport.Configuration) throws -> Void = { _ in }) throws
        -> NIOTransport.Configuration
    {
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .files([try file("ca.pem")])
        try change(&configuration)
        return configuration
    }

    private func file(_ name: String) throws -> String {
        guard let folder = InteropServers.certificates else { throw Missing() }
        return "\(folder)/\(name)"
    }

    private func identity(_ name: String) throws -> TLS.Identity {
        try TLS.Identity(certificateFile: file("\(name).pem"), keyFile: file("\(name).key"))
    }

    /// Requests a text from a server; `nil` means a TLS error, or a connection that the peer closed because of one.
    private func text(
        _ url: String?,
        _ configuration: NIOTransport.Configuration,
        _ version: HTTPVersion = .automatic
    ) async throws -> (text: String?, protocolName: String?)? {
        guard let url else { throw Missing() }
        return try await NIOTransport.withTransport(configuration) { transport in
            let site = Resource(url, transport: transport) { $0.httpVersion = version }
            do {
                let response = try await site["hello.txt"].get().requireSuccess()
                return (response.text, response.facts.protocolName)
            } catch let error where [.tls, .connectionClosed].contains((error as? CumulusError)?.code) {
                return nil
            }
        }
    }

    @Test(
        "HTTP/2 is negotiated if both support it, unless it is not wanted",
        arguments: [(HTTPVersion.automatic, "h2"), (.http2, "h2"), (.http1, "HTTP/1.1")]
    )
    func agreesOnTheVersion(_ version: HTTPVersion, _ expected: String) async throws {
        let nginx = try await text(InteropServers.nginxTLS, configuration(), version)
        #expect(nginx?.text == "hello from nginx\n")
        #expect(nginx?.protocolName == expected)
        let apache = try await text(InteropServers.apacheTLS, configuration(), version)
        #expect(apache?.text == "hello from nginx\n")
        #expect(apache?.protocolName == expected)
    }

    @Test("an unknown authority, another name and an expired certificate are refused")
    func refusesWhomItMustNotTrust() async throws {
        #expect(try await text(InteropServers.nginxTLS, NIOTransport.Configuration()) == nil)
        let byAddress = InteropServers.nginxTLS?.replacing("localhost", with: "127.0.0.1")
        #expect(try await text(byAddress, configuration()) == nil)
        #expect(try await text(InteropServers.nginxExpired, configuration()) == nil)
    }

    @Test("a pinned key is enforced")
    func holdsToPinnedKeys() async throws {
        let right = try TLS.PublicKeyPin(certificate: Array(Data(contentsOf: URL(filePath: file("server.pem")))))
        let wrong = try TLS.PublicKeyPin(certificate: Array(Data(contentsOf: URL(filePath: file("client.pem")))))
        let pinned = try configuration { $0.tls.pins["localhost"] = [wrong, right] }
        #expect(try await text(InteropServers.nginxTLS, pinned)?.text == "hello from nginx\n")
        let mismatched = try configuration { $0.tls.pins["localhost"] = [wrong] }
        #expect(try await text(InteropServers.nginxTLS, mismatched) == nil)
    }

    @Test func showsItsCertificateToAServerThatAsks() async throws {
        let apache = try InteropServers.apacheMutual.map { try RequestURL($0).origin } ?? { throw Missing() }()
        let shown = try configuration { $0.tls.identities[apache] = try identity("client") }
        #expect(try await text(InteropServers.apacheMutual, shown)?.text == "hello from nginx\n")
        // Apache closes the connection, possibly before the request or instead of a response.
        let refused = try? await text(InteropServers.apacheMutual, configuration())
        #expect(refused == nil)
        let origin = try InteropServers.nginxMutual.map { try RequestURL($0).origin } ?? { throw Missing() }()
        let known = try configuration { $0.tls.identities[origin] = try identity("client") }
        #expect(try await text(InteropServers.nginxMutual, known)?.text == "CN=client")
        for who in ["stranger", nil] {
            let other = try configuration { $0.tls.identities[origin] = try who.map(identity) }
            // nginx completes the handshake and answers 400.
            await #expect(throws: CumulusError.self, "\(who ?? "nobody")") {
                _ = try #require(try await text(InteropServers.nginxMutual, other))
            }
        }
    }

    @Test func thousandStreamsShareOneConnection() async throws {
        guard let url = InteropServers.nginxTLS else { throw Missing() }
        try await NIOTransport.withTransport(configuration()) { transport in
            let site = Resource(url, transport: transport)
            let addresses = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        let response = try await site["hello.txt"].get()
                        return response.text == "hello from nginx\n" ? response.facts.localAddress : nil
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(addresses.count == 1)
            #expect(!addresses.contains(nil))
        }
    }
}
