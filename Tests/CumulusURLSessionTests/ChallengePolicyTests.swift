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
        host: String = "intranet.example"
    ) -> String {
        let origin = Origin(scheme: .https, host: "files.example")
        let policy = ChallengePolicy(
            credentials: ConnectionCredentials(byOrigin: [origin: Credentials(user: "ada", password: "pw")]),
            offersSystemCredentials: offersSystemCredentials
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
}
