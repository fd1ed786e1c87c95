// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import Testing

@testable import CumulusURLSession

/// The decisions about servers by TLS settings, without the calls of Apple's systems.
@Suite(.timeLimit(.minutes(10))) struct TrustPolicyTests {
    private typealias TLS = URLSessionTransport.TLS

    private static let origin = Origin(scheme: .https, host: "a.example")
    /// The SHA-256 of empty input.
    private static let other = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private func certificate() throws -> (pem: String, der: [UInt8]) {
        let pem = try TestCertificateAuthority.selfSigned(hosts: ["a.example"]).certificatesPEM[0]
        return (pem, try #require(PEMCertificates(Array(pem.utf8)).first))
    }

    private func policy(_ change: (inout TLS) throws -> Void) throws -> TrustPolicy {
        var settings = TLS()
        try change(&settings)
        return try TrustPolicy(settings)
    }

    @Test func hostWithoutSettingsIsCheckedByTheSystem() throws {
        let policy = try policy { $0.pins["*.pinned.example"] = [try PublicKeyPin(Self.other)] }
        #expect(policy.check(of: "a.example") == nil)
        #expect(policy.check(of: "pinned.example") == nil)
        #expect(policy.check(of: "A.Pinned.example")?.keys?.count == 1)
    }

    @Test("A trusted server needs one of the pinned keys")
    func pins() throws {
        let (pem, der) = try certificate()
        let right = try PublicKeyPin(certificate: Array(pem.utf8))
        let wrong = try PublicKeyPin(Self.other)
        for (keys, isAccepted) in [([right], true), ([wrong, right], true), ([wrong], false), ([], false)] {
            let check = try #require(try policy { $0.pins["A.example"] = Set(keys) }.check(of: "a.example"))
            #expect(check.anchors == nil)
            let refusal = check.refusal(distrust: nil, certificate: der)
            #expect(refusal == (isAccepted ? nil : "its key \(right) is not one of the pinned keys"))
            #expect(check.refusal(distrust: nil, certificate: nil) == "it presented no key")
            #expect(check.refusal(distrust: nil, certificate: [1, 2]) == "it presented no key")
        }
    }

    @Test("A pinned key doesn't replace trust")
    func distrust() throws {
        let (pem, der) = try certificate()
        let pin = try PublicKeyPin(certificate: Array(pem.utf8))
        let check = try #require(try policy { $0.pins["*"] = [pin] }.check(of: "a.example"))
        #expect(check.refusal(distrust: "it has expired", certificate: der) == "it has expired")
    }

    @Test("Authorities in PEM become DER, with or without the system's")
    func anchors() throws {
        let (pem, der) = try certificate()
        let only = try #require(try policy { $0.trustRoots = .pem(pem) }.check(of: "b.example"))
        #expect(only.anchors == TrustPolicy.Anchors(certificates: [der], includesSystem: false) && only.keys == nil)
        let more = try #require(try policy { $0.trustRoots = .systemAnd(pem: pem + "\n" + pem) }.check(of: "b.example"))
        #expect(more.anchors == TrustPolicy.Anchors(certificates: [der, der], includesSystem: true))
        #expect(more.refusal(distrust: nil, certificate: nil) == nil)
    }

    @Test func authoritiesAreReadFromFiles() throws {
        let (pem, der) = try certificate()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("root.pem")
        // Its last line has no end.
        try Data(pem.trimmingCharacters(in: .whitespacesAndNewlines).utf8).write(to: file)
        let policy = try policy { $0.trustRoots = .files([file.path, file.path]) }
        #expect(policy.anchors?.certificates == [der, der])
        let missing = #expect(throws: TransportFailure.self) {
            _ = try self.policy { $0.trustRoots = .files([folder.appendingPathComponent("none.pem").path]) }
        }
        #expect(missing?.kind == .tls && missing?.message.contains("the authorities can't be read") == true)
    }

    @Test("Unusable authorities are an error", arguments: ["", "-----BEGIN CERTIFICATE-----\nAQ"])
    func unusable(text: String) {
        let failure = #expect(throws: TransportFailure.self) { _ = try policy { $0.trustRoots = .pem(text) } }
        #expect(failure?.kind == .tls && failure?.fate == .unsent)
        #expect(failure?.message.hasPrefix("the TLS settings can't be used: ") == true)
    }

    @Test("Each setting that decides about an origin changes its identity there, and only there")
    func identities() throws {
        let (pem, _) = try certificate()
        let other = Origin(scheme: .https, host: "b.example")
        let plain = URLSessionTransport()
        let pinned = try policy { $0.pins["a.example"] = [try PublicKeyPin(Self.other)] }
        #expect(pinned.identity(at: Self.origin) != plain.identity(at: Self.origin))
        #expect(pinned.identity(at: other) == plain.identity(at: other))
        let identified = try policy { $0.identities[Self.origin] = .init(pkcs12: [1], password: "p") }
        #expect(identified.identity(at: Self.origin) != plain.identity(at: Self.origin))
        #expect(identified.identity(at: other) == plain.identity(at: other))
        let rooted = try policy { $0.trustRoots = .pem(pem) }.identity(at: other)
        let extended = try policy { $0.trustRoots = .systemAnd(pem: pem) }.identity(at: other)
        #expect(Set([rooted, extended, plain.identity(at: other)]).count == 3)
    }

    @Test func passwordsAreNotPrinted() {
        var settings = TLS()
        settings.identities[Self.origin] = .init(pkcs12: [1], password: "pw-secret")
        #expect(!"\(settings)".contains("pw-secret"))
    }

    #if !canImport(Darwin)
    @Test("On Linux a request with any of these settings is refused before it is sent", arguments: 1...4)
    func linux(setting: Int) async throws {
        var settings = TLS()
        switch setting {
        case 1: settings.trustRoots = .pem(try certificate().pem)
        case 2: settings.pins["*"] = [try PublicKeyPin(Self.other)]
        case 3: settings.identities[Self.origin] = .init(pkcs12: [1], password: "p")
        default: settings.trustRoots = .systemAnd(pem: try certificate().pem)
        }
        let transport = URLSessionTransport(tls: settings)
        try await withLoopbackServer { server in
            let origin = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
            for transport in [transport, transport.with { $0.priority = 1 }] {
                let failure = await #expect(throws: TransportFailure.self) {
                    _ = try await transport.send(TransportRequest(origin: origin))
                }
                #expect(failure?.kind == .unsupported && failure?.fate == .unsent)
                #expect(failure?.message.contains("on Linux") == true)
            }
            #expect(server.counts.connectionsAccepted == 0)
        }
        #expect(transport.identity(at: Self.origin) == .unknown)
    }
    #endif
}
