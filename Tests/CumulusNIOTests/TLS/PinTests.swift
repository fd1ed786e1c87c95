// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct PinTests {
    private typealias Pin = NIOTransport.Configuration.TLS.PublicKeyPin
    /// The SHA-256 of empty input.
    private static let other = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private func server(_ tls: ServerTLS) async throws -> LoopbackServer {
        try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("ok") } }
    }

    private func pin(of tls: ServerTLS) throws -> Pin {
        try Pin(certificate: Array(tls.identity.certificatesPEM[0].utf8))
    }

    @Test("a pinned host must have one of its pinned keys, including a backup key")
    func acceptsPinnedKeysOnly() async throws {
        let authority = try TestCertificateAuthority()
        let tls = try ServerTLS.issued(by: authority)
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        let right = try pin(of: tls)
        let wrong = try Pin(Self.other)
        for (pins, isAccepted) in [([right], true), ([wrong, right], true), ([wrong], false), ([], false)] {
            configuration.tls.pins = ["LocalHost": Set(pins)]
            let server = try await server(tls)
            try await withTransport(server, configuration) { transport in
                let failure = await transport.failure(server.request(host: "localhost"))
                if isAccepted {
                    #expect(failure == nil, "\(String(describing: failure))")
                } else {
                    #expect(failure?.kind == .tls)
                    #expect(failure?.fate == .unsent)
                    // The pin to use instead, if the new key is right.
                    #expect(failure?.message.contains("\(right)") == true, "\(failure?.message ?? "")")
                    #expect(server.counts.requestsBegun == 0)
                    try await transport.waitForConnections(all: 0, idle: 0)
                }
            }
        }
    }

    @Test("pins also apply if certificates are not verified")
    func pinsHoldWithoutVerification() async throws {
        let tls = try ServerTLS.selfSigned()
        var configuration = NIOTransport.Configuration()
        configuration.tls.verification = .none
        for (text, isAccepted) in [("\(try pin(of: tls))", true), (Self.other, false)] {
            configuration.tls.pins = ["*": [try Pin(text)]]
            let server = try await server(tls)
            try await withTransport(server, configuration) { transport in
                #expect(await (transport.failure(server.request())?.kind == .tls) == !isAccepted)
            }
        }
    }

    @Test(
        "the closest name determines the keys that a host may have",
        arguments: [
            ("example.com", 1), ("example.com.", 1), ("a.example.com", 2), ("b.a.example.com", 2),
            ("x.y.example.com", 3), ("EXAMPLE.com", 1), ("A.Example.Com", 2),
            ("example.org", nil), ("notexample.com", nil),
        ] as [(String, Int?)]
    )
    func findsTheClosestName(_ host: String, _ expected: Int?) throws {
        let keys = try [1, 2, 3].map {
            try Pin(certificate: Array(TestCertificateAuthority.selfSigned(hosts: ["\($0)"]).certificatesPEM[0].utf8))
        }
        let pins = PinnedKeys(["Example.com": [keys[0]], "*.example.com": [keys[1]], "*.y.example.com": [keys[2]]])
        #expect(pins.keys(of: host) == expected.map { [keys[$0 - 1]] })
    }

    // One key in 64 has such a pin.
    @Test(arguments: ["/nrooKaJrh7DMlHpeUY0RIy5pfDwK1g/EvsN26FKqcY=", "//rooKaJrh7DMlHpeUY0RIy5pfDwK1g/EvsN26FKqcY="])
    func aPinMayBeginWithASlash(_ digits: String) throws {
        for prefix in ["sha256/", "sha256//", ""] {
            #expect(try Pin(prefix + digits).description == "sha256/\(digits)")
        }
    }

    @Test(arguments: ["", "sha256/", "sha256//AAAA", "md5/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256/%%%"])
    func whatIsNoPinIsRefused(_ text: String) {
        #expect(throws: Pin.Malformation.self) { try Pin(text) }
    }

    @Test func pinsAreWrittenAsTheyAreRead() throws {
        let bare = String(Self.other.dropFirst("sha256/".count))
        for text in [Self.other, bare, "sha256//\(bare)"] { #expect(try Pin(text).description == Self.other) }
        #expect(throws: Pin.Malformation.self) { try Pin(certificate: Array("no PEM".utf8)) }
    }
}
