// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which credentials a server or a proxy gets that requests some.
@Suite struct ChallengePolicyTests {
    private static let methods = [
        NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodHTTPBasic,
        NSURLAuthenticationMethodHTTPDigest, "NSURLAuthenticationMethodClientCertificate",
    ]

    private func response(
        _ method: String,
        offersSystemCredentials: Bool = false,
        failures: Int = 0,
        host: String = "intranet.example",
        trust: TrustPolicy? = nil
    ) -> String {
        let origin = Origin(scheme: .https, host: "files.example")
        let policy = ChallengePolicy(
            credentials: ConnectionCredentials(byOrigin: [origin: Credentials(user: "ada", password: "pw")]),
            offersSystemCredentials: offersSystemCredentials,
            trust: trust
        )
        let space = URLProtectionSpace(
            host: host,
            port: 443,
            protocol: "https",
            realm: nil,
            authenticationMethod: method
        )
        return switch policy.response(to: space, failures: failures) {
        case .use(let credential): "use \(credential.user ?? "")"
        case .verify(let check): "verify \(check.keys?.count ?? 0)"
        case .identify(let origin): "identify \(origin.host)"
        case .systemsOwn: "system"
        case .none: "none"
        }
    }

    @Test("The system's own credentials, such as a Kerberos ticket, aren't offered", arguments: methods)
    func nothingOfTheSystems(method: String) {
        #expect(response(method) == "none")
    }

    @Test("They are offered once if the program wants that", arguments: methods)
    func systemCredentials(method: String) {
        #expect(response(method, offersSystemCredentials: true) == "system")
        #expect(response(method, offersSystemCredentials: true, failures: 1) == "none")
    }

    @Test func servers() {
        #expect(response("NSURLAuthenticationMethodServerTrust") == "system")
        #expect(response("NSURLAuthenticationMethodServerTrust", failures: 1) == "system")
    }

    @Test func givenCredentialsComeFirst() {
        let method = NSURLAuthenticationMethodNTLM
        #expect(response(method, host: "files.example") == "use ada")
        #expect(response(method, offersSystemCredentials: true, host: "files.example") == "use ada")
        #expect(response(method, failures: 1, host: "files.example") == "none")
    }

    @Test("A server is verified by the TLS settings if they concern its host, however often it was refused")
    func serversWithSettings() throws {
        var settings = URLSessionTransport.TLS()
        settings.pins["files.example"] = [try PublicKeyPin("sha256/" + String(repeating: "A", count: 43) + "=")]
        let trust = try TrustPolicy(settings)
        let method = "NSURLAuthenticationMethodServerTrust"
        #expect(response(method, host: "files.example", trust: trust) == "verify 1")
        #expect(response(method, failures: 1, host: "files.example", trust: trust) == "verify 1")
        #expect(response(method, offersSystemCredentials: true, host: "files.example", trust: trust) == "verify 1")
        #expect(response(method, trust: trust) == "system")
    }

    @Test("A client certificate is for its origin only, and isn't sent again after it was refused")
    func clientCertificates() throws {
        var settings = URLSessionTransport.TLS()
        settings.identities[Origin(scheme: .https, host: "files.example")] = .init(pkcs12: [1], password: "p")
        let trust = try TrustPolicy(settings)
        let method = "NSURLAuthenticationMethodClientCertificate"
        #expect(response(method, host: "files.example", trust: trust) == "identify files.example")
        #expect(response(method, failures: 1, host: "files.example", trust: trust) == "none")
        #expect(response(method, trust: trust) == "none")
        #expect(response(method, offersSystemCredentials: true, trust: trust) == "system")
        #expect(response(NSURLAuthenticationMethodHTTPBasic, host: "files.example", trust: trust) == "none")
    }
}
