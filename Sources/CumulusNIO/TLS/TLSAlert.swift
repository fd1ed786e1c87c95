// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOSSL

/// A fatal alert with which the peer ended TLS (RFC 8446 section 6.2).
///
/// With TLS 1.3 a server judges the client's certificate after the client has begun to send: the alert tells what was
/// wrong, not the moment at which it arrives.
struct TLSAlert: Equatable {
    /// The alert's number.
    let code: UInt8

    /// The alert in an error of NIOSSL, during the handshake or after it; `nil` for other errors.
    init?(_ error: any Error) {
        guard let code = NIOSSLError.stack(of: error)?.lazy.compactMap(TLSAlert.code).first else { return nil }
        self.code = code
    }

    /// Whether the alert is about the client's certificate: that there is none, or that it is unacceptable.
    var isAboutCertificate: Bool { (42...46).contains(code) || [48, 49, 116].contains(code) }

    /// Whether the same handshake will be refused again.
    ///
    /// The others are about a connection that was broken or interrupted: `bad_record_mac`, `internal_error`.
    var isRefusal: Bool { isAboutCertificate || [40, 47, 50, 51, 70, 71, 109, 110, 112, 113, 115, 120].contains(code) }

    /// The meaning of the alert for the user.
    ///
    /// - Parameters:
    ///   - peer: The sender of the alert, for the text.
    ///   - isIdentified: Whether the client had a certificate for the peer.
    ///   - isAfterCertificate: Whether the peer had sent its own certificate, so that both had agreed on ciphers.
    /// - Returns: The meaning; `nil` if the library's name of the alert is enough.
    func meaning(by peer: String, isIdentified: Bool, isAfterCertificate: Bool) -> String? {
        guard isAboutCertificate || code == 40 else { return nil }
        if code == 40, !isAfterCertificate {
            return "\(peer) refused the handshake (handshake failure); it has no cipher suite "
                + "or type of certificate key in common with this client"
        }
        if code == 40 {
            let doubt =
                isIdentified ? "; it may not accept the client certificate" : "; it may require a client certificate"
            return "\(peer) refused the handshake (handshake failure)\(doubt)"
        }
        guard isIdentified else { return "\(peer) requires a client certificate, but none was sent (\(name))" }
        return "\(peer) does not accept the client certificate (\(name))"
    }

    /// The same as a value; `nil` for other alerts.
    func reason(isIdentified: Bool, isAfterCertificate: Bool) -> TransportFailure.Reason? {
        switch code {
        case 40 where isAfterCertificate && !isIdentified: .missingClientCertificate
        case 120: .noApplicationProtocol
        default:
            isAboutCertificate ? isIdentified ? .refusedClientCertificate : .missingClientCertificate : nil
        }
    }

    private var name: String {
        switch code {
        case 42: "bad certificate"
        case 43: "unsupported certificate"
        case 44: "certificate revoked"
        case 45: "certificate expired"
        case 46: "certificate unknown"
        case 48: "unknown authority"
        case 49: "access denied"
        default: "certificate required"
        }
    }

    /// BoringSSL adds 1000 to the number of an alert from the peer.
    private static func code(of error: BoringSSLInternalError) -> UInt8? {
        error.number.flatMap { $0 >= 1_000 ? UInt8(exactly: $0 - 1_000) : nil }
    }
}

extension BoringSSLInternalError {
    /// The number of an error of TLS (`SSL_R_...`), which is only in its text; `nil` for other errors.
    var number: UInt32? {
        // "Error: 268436572 error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED at ...".
        let words = "\(self)".utf8.split(separator: UInt8(ascii: " "))
        guard words.count > 1, let number = UInt32(Substring(words[1])), number >> 24 == 16 else { return nil }
        return number & 0xFFF
    }
}
