// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOSSL

extension Origin {
    /// Whether it is reached without TLS on a port where servers usually expect it, such as 443 or 8443.
    var mayExpectTLS: Bool { scheme == .http && (port % 1_000 == 443 || port == 4_433) }
}

/// Failures of TLS, with the origin or with a proxy.
extension TransportFailure {
    /// A part of the TLS settings, such as the trust roots or the client certificate, can't be used.
    static func tlsSetUp(_ error: any Error) -> TransportFailure {
        TransportFailure(.tls, "the TLS settings can't be used: \(reason(error))", cause: error)
    }

    /// The TLS handshake with a proxy failed, or the proxy refused it afterwards.
    static func securing(
        _ proxy: Proxy,
        _ error: (any Error)?,
        certificate: NIOSSLCertificate?,
        isIdentified: Bool
    ) -> TransportFailure {
        securing("the proxy \(proxy)", by: "the proxy", error, .during(certificate), isIdentified: isIdentified)
    }

    /// The TLS handshake failed.
    static func securing(
        _ origin: Origin,
        _ error: (any Error)?,
        certificate: NIOSSLCertificate?,
        isIdentified: Bool
    ) -> TransportFailure {
        securing("\(origin)", by: "the server", error, .during(certificate), isIdentified: isIdentified)
    }

    /// The peer refused the handshake after it was complete for this side, as with the client's certificate in TLS 1.3;
    /// `nil` if the connection ended for another reason.
    static func refused(
        _ slot: OriginSlot?,
        of engine: LoopEngine,
        _ error: (any Error)?,
        hasHead: Bool,
        fate: Fate
    ) -> TransportFailure? {
        guard let slot, let error else { return nil }
        // A certificate is refused at any time; a body that is cut short by another alert may be resumed.
        let alert = TLSAlert(error)
        let isFinal = alert?.isAboutCertificate == true || alert?.isRefusal == true && !hasHead
        guard isFinal || renegotiation(error, by: "") != nil else { return nil }
        // Requests for http reach a proxy over its own TLS.
        if slot.origin.scheme == .http, let proxy = slot.key.route.proxy {
            let isIdentified = engine.proxyTLS.hasIdentity(for: proxy.peer)
            return securing("the proxy \(proxy)", by: "the proxy", error, isIdentified: isIdentified, fate: fate)
        }
        let isIdentified = slot.key.offersIdentity
        return securing("\(slot.origin)", by: "the server", error, isIdentified: isIdentified, fate: fate)
    }

    /// When TLS failed.
    private enum HandshakePhase {
        /// During the handshake, with the peer's certificate if it had arrived.
        case during(NIOSSLCertificate?)
        /// After it.
        case after
    }

    private static func securing(
        _ place: String,
        by peer: String,
        _ error: (any Error)?,
        _ phase: HandshakePhase = .after,
        isIdentified: Bool,
        fate: Fate = .unsent
    ) -> TransportFailure {
        guard let error, !HandshakeBreak.isEnd(error) else { return .handshakeBroke(place, error) }
        var certificate: NIOSSLCertificate?
        if case .during(let own) = phase { certificate = own }
        let isAfterCertificate = if case .during(nil) = phase { false } else { true }
        let alert = TLSAlert(error)
        let diagnosis = CertificateDiagnosis(error, certificate: certificate)
        let text =
            renegotiation(error, by: peer)
            ?? alert?.meaning(by: peer, isIdentified: isIdentified, isAfterCertificate: isAfterCertificate)
            ?? diagnosis?.text ?? reason(error)
        let value: Reason?
        if let alert {
            value = alert.reason(isIdentified: isIdentified, isAfterCertificate: isAfterCertificate)
        } else {
            value = diagnosis?.reason ?? (NIOSSLError.isNotTLS(error) ? .notTLS : nil)
        }
        let message = "can't establish TLS with \(place): \(text)"
        return TransportFailure(.tls, message, fate: fate, cause: error).because(value)
    }

    /// The peer asked for a second handshake, which BoringSSL refuses.
    private static func renegotiation(_ error: any Error, by peer: String) -> String? {
        guard "\(error)".has("NO_RENEGOTIATION") else { return nil }
        return "\(peer) requires another handshake, for example for a client certificate, which is not supported"
    }

    /// The connection ended before the TLS handshake had a result: the network failed, or the peer was overloaded or
    /// restarting, as when no connection is made.
    private static func handshakeBroke(_ peer: String, _ error: (any Error)?) -> TransportFailure {
        let reason = (error as? IOError).map { ": \(Self.reason($0))" } ?? ""
        let message = "\(peer) closed the connection during the TLS handshake\(reason)"
        return TransportFailure(.connect, message, cause: error)
    }

    /// The peer has another identity.
    static func wrongHost(_ origin: Origin) -> TransportFailure {
        TransportFailure(.tls, "can't establish TLS with \(origin): the certificate is not valid for this host")
            .because(.hostNameMismatch)
    }

    /// The peer has a key that is not pinned.
    static func wrongKey(_ origin: Origin, _ problem: TLSContextCache.UnexpectedKey) -> TransportFailure {
        TransportFailure(.tls, "can't establish TLS with \(origin): \(problem)", cause: problem).because(.unpinnedKey)
    }
}
