// SPDX-License-Identifier: Apache-2.0

import NIOSSL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds words for why a server's certificate was refused; BoringSSL itself says no more than that it was.
enum CertificateDiagnosis {
    /// The reason, if the error is about the certificate.
    static func reason(for error: any Error, certificate: NIOSSLCertificate?) -> String? {
        if error is NIOSSLExtraError {
            return "the certificate is not made out to this host (\(error))"
        }
        if case NIOSSLError.unableToValidateCertificate = error { return "the certificate could not be validated" }
        guard "\(error)".contains("CERTIFICATE_VERIFY_FAILED") else { return nil }
        guard let certificate else { return "the certificate is not trusted (certificate verify failed)" }
        let now = time(nil)
        if certificate.notValidAfter < now { return "the certificate has expired" }
        if certificate.notValidBefore > now { return "the certificate is not valid yet" }
        if let der = try? certificate.toDERBytes(), isSelfIssued(der) {
            return "the certificate is self-signed and not among the trusted ones (certificate verify failed)"
        }
        return "the certificate's issuer is not trusted (certificate verify failed)"
    }

    /// Whether issuer and subject are the same (RFC 5280 section 4.1).
    static func isSelfIssued(_ der: [UInt8]) -> Bool {
        var outer = DERReader(der[...])
        guard let certificate = outer.next(), var fields = DERReader(contentsOf: certificate).nested() else {
            return false
        }
        // Version (tagged 0, absent in version 1), serial number, signature algorithm.
        if fields.peek == 0xa0 { _ = fields.next() }
        _ = fields.next()
        _ = fields.next()
        guard let issuer = fields.next(), fields.next() != nil, let subject = fields.next() else { return false }
        return issuer.elementsEqual(subject)
    }
}
