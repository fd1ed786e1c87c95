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

/// Describes why a server's certificate was refused; BoringSSL only says that it was.
enum CertificateDiagnosis {
    /// The reason, if the error is about the certificate.
    static func reason(for error: any Error, certificate: NIOSSLCertificate?) -> String? {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return "the certificate is not valid for this host"
        }
        if case NIOSSLError.unableToValidateCertificate = error { return "the certificate could not be validated" }
        guard isRefusal(error) else { return nil }
        guard let certificate else { return "the certificate is not trusted (certificate verify failed)" }
        let now = time(nil)
        if certificate.notValidAfter < now { return "the certificate has expired" }
        if certificate.notValidBefore > now { return "the certificate is not valid yet" }
        if let der = try? certificate.toDERBytes() {
            let names = CertificateNames(der: der)
            if !names.isForServers {
                return "the certificate is not for servers: its extended key usage lacks serverAuth"
            }
            if names.isSelfIssued {
                return "the certificate is self-signed and not among the trusted ones (certificate verify failed)"
            }
        }
        return "the certificate's issuer is not trusted (certificate verify failed)"
    }

    /// Whether BoringSSL, or our own comparison, has refused the certificate.
    static func isRefusal(_ error: any Error) -> Bool { "\(error)".has("CERTIFICATE_VERIFY_FAILED") }
}
