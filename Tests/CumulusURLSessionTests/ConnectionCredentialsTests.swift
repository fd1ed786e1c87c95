// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Who gets a password for NTLM and Negotiate; the handshake itself is the system's.
@Suite struct ConnectionCredentialsTests {
    private let credentials = ConnectionCredentials(
        byOrigin: [
            Origin(scheme: .https, host: "files.example", port: 443): Credentials(user: "ada", password: "pw")
        ]
    )

    private func space(_ scheme: String, _ host: String, _ port: Int, _ method: String) -> URLProtectionSpace {
        URLProtectionSpace(host: host, port: port, protocol: scheme, realm: nil, authenticationMethod: method)
    }

    @Test(arguments: [NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate])
    func theOriginTheyAreForGetsThem(method: String) {
        let credential = credentials.credential(for: space("https", "Files.example", 443, method), failures: 0)
        #expect(
            credential?.user == "ada" && credential?.password == "pw"
                && credential?.persistence == URLCredential.Persistence.none
        )
    }

    @Test(
        "another origin or another scheme of authentication gets none",
        arguments: [
            ("https", "other.example", 443, NSURLAuthenticationMethodNTLM),
            ("https", "files.example", 8443, NSURLAuthenticationMethodNTLM),
            ("http", "files.example", 443, NSURLAuthenticationMethodNegotiate),
            ("ftp", "files.example", 443, NSURLAuthenticationMethodNTLM),
            ("https", "files.example", 443, NSURLAuthenticationMethodHTTPBasic),
            ("https", "files.example", 443, NSURLAuthenticationMethodHTTPDigest),
        ]
    )
    func othersGetNone(scheme: String, host: String, port: Int, method: String) {
        #expect(credentials.credential(for: space(scheme, host, port, method), failures: 0) == nil)
    }

    @Test func aRefusedPasswordIsNotSentAgain() {
        let space = space("https", "files.example", 443, NSURLAuthenticationMethodNTLM)
        #expect(credentials.credential(for: space, failures: 1) == nil)
    }
}
