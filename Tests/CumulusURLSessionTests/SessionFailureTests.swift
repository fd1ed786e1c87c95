// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusURLSession

/// The failure that a session's error becomes.
@Suite struct SessionFailureTests {
    private func failure(
        _ code: URLError.Code,
        domain: String = NSURLErrorDomain,
        hasHead: Bool = false,
        hasSent: Bool? = nil
    ) -> TransportFailure {
        let error = NSError(domain: domain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: "it failed"])
        return TransportFailure(session: error, hasHead: hasHead, hasSent: hasSent)
    }

    @Test(
        "Codes of missing networks are failures to connect",
        arguments: [
            URLError.Code.notConnectedToInternet, .cannotConnectToHost, .dataNotAllowed, .internationalRoamingOff,
            .callIsActive,
        ]
    )
    func unreachable(code: URLError.Code) {
        #expect(failure(code).kind == .connect)
        #expect(failure(code).fate == .unsent)
    }

    @Test func refusedCertificatesHaveTheirReason() {
        #expect(failure(.serverCertificateUntrusted).reason == nil)
        #expect(failure(.serverCertificateHasUnknownRoot).reason == .untrustedIssuer)
        #expect(failure(.serverCertificateHasBadDate).reason == .expiredCertificate)
        #expect(failure(.clientCertificateRequired).reason == .missingClientCertificate)
        #expect(failure(.secureConnectionFailed).reason == nil)
        #expect(failure(.serverCertificateHasUnknownRoot, domain: "com.example.proxy").reason == nil)
    }

    @Test func appTransportSecurityIsAMatterOfTLS() {
        let forbidden = failure(.appTransportSecurityRequiresSecureConnection)
        #expect(forbidden.kind == .tls && forbidden.fate == .unsent)
    }

    @Test("A code of a missing network doesn't say that nothing was sent, if the session knows better")
    func lostOnTheWay() {
        #expect(failure(.notConnectedToInternet, hasSent: true).fate == .unknown)
        #expect(failure(.cannotConnectToHost, hasSent: true).fate == .unknown)
        #expect(failure(.networkConnectionLost, hasSent: false).fate == .unsent)
        #expect(failure(.networkConnectionLost).fate == .unknown)
    }

    @Test("The same number in another domain means something else")
    func domains() {
        #expect(failure(.cannotFindHost).kind == .lookup)
        #expect(failure(.cannotFindHost, domain: "com.example.proxy").kind == .other)
        // ECONNABORTED, as of a socket that was closed in the background.
        let posix = NSError(domain: NSPOSIXErrorDomain, code: 53, userInfo: nil)
        let aborted = TransportFailure(session: posix, hasHead: false)
        #expect(aborted.kind == .connectionClosed && aborted.fate == .unknown)
    }

    @Test func afterTheHeadTheBodyIsCutOff() {
        #expect(failure(.networkConnectionLost, hasHead: true, hasSent: true).kind == .truncated)
    }
}
