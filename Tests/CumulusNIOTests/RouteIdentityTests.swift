// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Foundation
import TestSupport
import Testing

/// What a configuration contributes to the key of stored responses: the client, the route, and how servers are verified.
@Suite struct RouteIdentityTests {
    private typealias Configuration = NIOTransport.Configuration

    private static let https = Origin(scheme: .https, host: "a.example")
    private static let http = Origin(scheme: .http, host: "a.example")
    private static let other = Origin(scheme: .https, host: "b.example")

    private func identity(at origin: Origin = https) -> TransportIdentity { identity(at: origin) { _ in } }

    private func identity(
        at origin: Origin = https,
        _ change: (inout Configuration) throws -> Void
    ) rethrows -> TransportIdentity {
        var configuration = Configuration()
        configuration.tls.warnsOfMissingVerification = false
        try change(&configuration)
        return NIOTransport(configuration: configuration).identity(at: origin)
    }

    private func pin(_ byte: UInt8) throws -> Configuration.TLS.PublicKeyPin {
        try .init(Data(repeating: byte, count: 32).base64EncodedString())
    }

    private static func certificate(_ text: String) -> Configuration.TLS.Identity {
        .init(certificateChain: Array(text.utf8), privateKey: Array("key of \(text)".utf8))
    }

    @Test func whatDecidesOnTheServerAndItsVerificationIsPartOfTheIdentity() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try folder.write("one", to: "one.pem"), try folder.write("two", to: "two.pem"))
        let all: [TransportIdentity] = [
            identity(),
            identity { $0.tls.trustRoots = .pem([1]) },
            identity { $0.tls.trustRoots = .pem([2]) },
            identity { $0.tls.trustRoots = .systemAnd(pem: [1]) },
            identity { $0.tls.trustRoots = .files([one]) },
            identity { $0.tls.trustRoots = .files([two]) },
            identity { $0.tls.minimumVersion = .tls13 },
            try identity { $0.tls.pins["a.example"] = try [pin(1)] },
            try identity { $0.tls.pins["a.example"] = try [pin(3)] },
            try identity { $0.tls.pins["*"] = try [pin(1), pin(2)] },
            identity { $0.unixSocketPath = "/tmp/a" },
            identity { $0.unixSocketPath = "/tmp/b" },
            identity { $0.addresses["a.example"] = ["127.0.0.1"] },
            identity { $0.addresses["a.example"] = ["127.0.0.2"] },
            identity { $0.addressFamily = .ipv4 },
            identity { $0.addressFamily = .ipv6 },
            identity { $0.tls.identities[Self.https] = Self.certificate("ann") },
            identity { $0.tls.identities[Self.https] = Self.certificate("bob") },
            identity {
                $0.tls.identities[Self.https] = .init(certificateChain: Array("ann".utf8), privateKey: [])
            },
        ]
        #expect(Set(all).count == all.count && !all.contains(.unknown))
        #expect(identity() == .anonymous && identity(at: Self.http) == .anonymous)
    }

    @Test func whatDoesNotConcernTheOriginIsNotPartOfIt() throws {
        #expect(identity { $0.addresses["b.example"] = ["127.0.0.1"] } == .anonymous)
        #expect(try identity { $0.tls.pins["b.example"] = try [pin(1)] } == .anonymous)
        #expect(identity { $0.tls.identities[Self.other] = Self.certificate("ann") } == .anonymous)
        #expect(identity { ($0.idleLifetime, $0.connectTimeout) = (.seconds(1), .seconds(1)) } == .anonymous)
        let one = identity { $0.tls.trustRoots = .pem([1]) }
        #expect(identity { $0.tls.trustRoots = .pem([1]) } == one)
    }

    /// A proxy with TLS reads http, and is reached by the same configuration.
    @Test func forHTTPTheVerificationOfProxiesIsPartOfTheIdentity() throws {
        let all = [
            identity(at: Self.http), identity(at: Self.http) { $0.tls.trustRoots = .pem([1]) },
            identity(at: Self.http) { $0.addresses["proxy.example"] = ["127.0.0.1"] },
            identity(at: Self.http) { $0.tls.identities[Self.other] = Self.certificate("ann") },
        ]
        #expect(Set(all).count == all.count)
    }

    @Test func withoutVerificationTheIdentityIsUnknown() {
        for origin in [Self.https, Self.http, Self.other] {
            #expect(identity(at: origin) { $0.tls.verification = .none } == .unknown)
        }
        #expect(identity { $0.tls.trustRoots = .files(["/missing.pem"]) } == .unknown)
    }
}
