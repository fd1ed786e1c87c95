// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOSSL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The reason why a server's certificate was refused; BoringSSL only reports that it was.
struct CertificateDiagnosis {
    /// The reason in words.
    let text: String
    /// The reason as a value, if there is one for it.
    let reason: TransportFailure.Reason?

    private init(_ text: String, _ reason: TransportFailure.Reason? = nil) { (self.text, self.reason) = (text, reason) }

    /// The reason, if the error is about the certificate.
    init?(_ error: any Error, certificate: NIOSSLCertificate?) {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            self.init("the certificate is not valid for this host", .hostNameMismatch)
        } else if case NIOSSLError.unableToValidateCertificate = error {
            self.init("the certificate could not be validated")
        } else if !Self.isRefusal(error) {
            return nil
        } else if let certificate {
            self.init(refusalOf: certificate)
        } else {
            self.init("the certificate is not trusted (certificate verify failed)")
        }
    }

    private init(refusalOf certificate: NIOSSLCertificate) {
        let now = time(nil)
        let names = (try? certificate.toDERBytes()).map(CertificateNames.init(der:))
        if certificate.notValidAfter < now {
            self.init("the certificate has expired", .expiredCertificate)
        } else if certificate.notValidBefore > now {
            self.init("the certificate is not valid yet", .certificateNotYetValid)
        } else if names?.isForServers == false {
            self.init("the certificate is not for servers: its extended key usage lacks serverAuth")
        } else if names?.isSelfIssued == true {
            self.init(
                "the certificate is self-signed and not among the trusted ones (certificate verify failed)",
                .untrustedIssuer
            )
        } else {
            self.init("the certificate's issuer is not trusted (certificate verify failed)", .untrustedIssuer)
        }
    }

    /// Whether BoringSSL, or our own comparison, has refused the certificate.
    static func isRefusal(_ error: any Error) -> Bool { "\(error)".has("CERTIFICATE_VERIFY_FAILED") }
}
