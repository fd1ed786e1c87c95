// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOSSL
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Servers whose own certificate is among the named roots, byte for byte.
///
/// BoringSSL takes a root for an authority, so it refuses one that may not sign certificates, even as the proof of the
/// server that shows it: the usual form of a self-signed certificate. A server that was refused and showed a named
/// certificate is asked once more, and then only this certificate is accepted, while it is valid and for its host.
final class NamedCertificates: Sendable {
    private let roots: NIOTransport.Configuration.TLS.TrustRoots
    private let certificates = Mutex<[NIOSSLCertificate]?>(nil)
    private let found = Mutex<Set<Origin>>([])

    init(_ roots: NIOTransport.Configuration.TLS.TrustRoots) { self.roots = roots }

    /// Whether there are none.
    var isEmpty: Bool { roots == .system }

    /// Whether a peer's certificate is compared with the named ones, instead of verified, as far as is known.
    func areCompared(for peer: Origin) -> Bool { found.withLock { $0.contains(peer) } }

    /// Whether a peer's certificate is to be judged in the other way, after it was refused in one; remembers that.
    ///
    /// A peer whose certificate was compared may have got another one, from an authority.
    func change(for peer: Origin, wasCompared: Bool, _ error: any Error, _ certificate: NIOSSLCertificate?) -> Bool {
        guard !isEmpty, CertificateDiagnosis.isRefusal(error) else { return false }
        if wasCompared {
            _ = found.withLock { $0.remove(peer) }
            return true
        }
        guard let certificate, accept(certificate) else { return false }
        _ = found.withLock { $0.insert(peer) }
        return true
    }

    /// TLS with a peer that shows a named certificate.
    func makeHandler(_ context: NIOSSLContext, name: String?) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: name) { chain, promise in
            promise.succeed(chain.first.map(self.accept) == true ? .certificateVerified : .failed)
        }
    }

    private func accept(_ certificate: NIOSSLCertificate) -> Bool {
        let now = time(nil)
        guard certificate.notValidBefore <= now, now <= certificate.notValidAfter else { return false }
        return certificates.withLock { certificates in
            let named = certificates ?? (try? read()) ?? []
            certificates = named
            return named.contains(certificate)
        }
    }

    private func read() throws -> [NIOSSLCertificate] {
        switch roots {
        case .system: []
        case .pem(let bytes), .systemAnd(let bytes): try NIOSSLCertificate.fromPEMBytes(bytes)
        case .files(let paths): try paths.flatMap { try NIOSSLCertificate.fromPEMFile($0) }
        }
    }
}
