// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOSSL

extension NIOSSLError {
    /// What went wrong with TLS, in our words: NIOSSL's own texts quote its types, codes and places in its source.
    static func reason(for error: any Error) -> String? {
        switch error {
        case let error as NIOSSLError: words(for: error)
        case let error as BoringSSLError: words(for: error)
        case let error as NIOSSLExtraError: words(for: error)
        case is NIOSSLCloseTimedOutError: "the peer did not complete the TLS shutdown"
        default: nil
        }
    }

    /// The errors of BoringSSL beneath an error, during the handshake or after it.
    static func stack(of error: any Error) -> NIOBoringSSLErrorStack? {
        switch error {
        case NIOSSLError.handshakeFailed(.sslError(let errors)), BoringSSLError.sslError(let errors): errors
        default: nil
        }
    }

    /// Whether the peer's bytes are not TLS: `SSL_R_HTTP_REQUEST` or `SSL_R_WRONG_VERSION_NUMBER`.
    static func isNotTLS(_ error: any Error) -> Bool {
        stack(of: error)?.contains { $0.number == 156 || $0.number == 247 } ?? false
    }

    private static func words(for error: NIOSSLExtraError) -> String {
        switch error {
        case .failedToValidateHostname: "the certificate is not valid for this host"
        case .serverHostnameImpossibleToMatch, .invalidSNIHostname, .cannotUseIPAddressInSNI:
            "the host name can't be in a certificate"
        case .unknownPrivateKeyFileType: "the private key's file is of an unknown type"
        default: "TLS failed"
        }
    }

    private static func words(for error: NIOSSLError) -> String {
        switch error {
        case .handshakeFailed(let cause): "the handshake failed: \(words(for: cause))"
        case .shutdownFailed(let cause): "the TLS shutdown failed: \(words(for: cause))"
        case .failedToLoadCertificate: "a certificate can't be read"
        case .failedToLoadPrivateKey: "the private key can't be read"
        case .noSuchFilesystemObject: "a file with certificates or a key is missing"
        case .noCertificateToValidate: "the peer presented no certificate"
        case .unableToValidateCertificate, .cannotMatchULabel, .cannotFindPeerIP:
            "the certificate could not be validated"
        case .uncleanShutdown: "the connection ended without a TLS shutdown"
        case .writeDuringTLSShutdown, .readInInvalidTLSState: "the TLS session had already ended"
        default: "TLS failed"
        }
    }

    private static func words(for error: BoringSSLError) -> String {
        switch error {
        case .sslError(let stack), .unknownError(let stack), .invalidSNIName(let stack), .failedToSetALPN(let stack):
            words(in: stack)
        case .zeroReturn: "the peer ended the session"
        case .syscallError: "the connection broke"
        default: "an unknown reason"
        }
    }

    /// BoringSSL's names for its errors, such as `WRONG_VERSION_NUMBER`, in lower case.
    private static func words(in stack: NIOBoringSSLErrorStack) -> String {
        let reasons = stack.compactMap { error -> String? in
            if error == .eofDuringHandshake || error == .eofDuringAdditionalCertficiateChainValidation {
                return "the peer closed the connection"
            }
            // "error:1000042e:SSL routines:OPENSSL_internal:TLSV1_ALERT_PROTOCOL_VERSION at /a/file:1".
            let fields = "\(error)".utf8.split(separator: UInt8(ascii: ":"))
            guard let place = fields.firstIndex(where: { $0.elementsEqual("OPENSSL_internal".utf8) }),
                fields.indices.contains(place + 1)
            else { return nil }
            let name = fields[place + 1].prefix { $0 != UInt8(ascii: " ") }
            return String(decoding: name, as: UTF8.self).lowercased().replacing("_", with: " ")
        }
        return reasons.isEmpty ? "an unknown reason" : PeerText.printable(reasons.joined(separator: ", "))
    }
}
