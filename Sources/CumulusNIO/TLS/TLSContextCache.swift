// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOSSL
import Synchronization

/// Creates NIOSSL's contexts from a transport's TLS settings, one for each version of HTTP and identity, when the first
/// TLS connection needs it: reading the system's roots takes milliseconds.
final class TLSContextCache: Sendable {
    private let settings: NIOTransport.Configuration.TLS
    private let pins: PinnedKeys
    let named: NamedCertificates
    private let made = Mutex<[Key: NIOSSLContext]>([:])
    private let certificates = Mutex<[Origin: Result<ClientCertificate, ClientCertificate.Problem>]>([:])
    /// The versions that have a context for any origin without an identity, by their bits: most requests ask for no
    /// more.
    private let common = Atomic<UInt8>(0)

    private struct Key: Hashable {
        let version: HTTPVersion
        /// The origin whose servers may get the client's identity.
        let identified: Origin?
        /// Whether NIOSSL compares the name, or the socket's address, with the certificate.
        let checksHost: Bool
    }

    init(_ settings: NIOTransport.Configuration.TLS) {
        self.settings = settings
        pins = PinnedKeys(settings.pins)
        named = NamedCertificates(settings.trustRoots)
    }

    /// Whether there is an identity for an origin's servers.
    func hasIdentity(for origin: Origin) -> Bool {
        !settings.identities.isEmpty && origin.scheme == .https && settings.identities[origin] != nil
    }

    /// Whether the context for a version, without an identity and for no tunnel, is there.
    func hasCommonContext(for version: HTTPVersion) -> Bool { common.load(ordering: .relaxed) & Self.bit(version) != 0 }

    private static func bit(_ version: HTTPVersion) -> UInt8 {
        switch version {
        case .automatic: 1
        case .http1: 2
        case .http2: 4
        }
    }

    /// The context that offers a version (ALPN) and an origin's identity; throws if the settings are unusable.
    ///
    /// At a tunnel's other end is another peer than the socket's: ``isVerified`` checks the address of such a host.
    func context(
        for version: HTTPVersion,
        identifiedTo identified: Origin?,
        at origin: Origin,
        isTunnelled: Bool
    ) throws -> NIOSSLContext {
        let checksHost = !isTunnelled || Self.serverName(for: origin.host) != nil
        let key = Key(version: version, identified: identified, checksHost: checksHost)
        if let context = made.withLock({ $0[key] }) { return context }
        // Decrypting a key may take long, and other origins don't wait for it.
        let certificate = try certificate(for: identified)
        return try made.withLock { made in
            if let made = made[key] { return made }
            let context = try makeContext(for: key, certificate)
            made[key] = context
            if identified == nil, checksHost { common.bitwiseOr(Self.bit(version), ordering: .relaxed) }
            return context
        }
    }

    /// The context for TLS with a proxy, over HTTP/1.1; `nil` for a proxy without TLS.
    func context(for proxy: Proxy) throws -> NIOSSLContext? {
        guard proxy.scheme == .https else { return nil }
        let identified = hasIdentity(for: proxy.peer) ? proxy.peer : nil
        return try context(for: .http1, identifiedTo: identified, at: proxy.peer, isTunnelled: false)
    }

    /// The name to send and to compare with the certificate; `nil` for addresses, which NIOSSL takes from the socket.
    static func serverName(for host: String) -> String? {
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return nil }
        // RFC 6066 section 3: without the final dot.
        return host.ends(with: ".") ? String(host.dropLast()) : host
    }

    /// Whether a peer that NIOSSL trusts is the host of the URL; see ``CertificateNames``.
    func isVerified(_ certificate: NIOSSLCertificate?, for host: String, isTunnelled: Bool) -> Bool {
        guard settings.verification == .full else { return true }
        let name = Self.serverName(for: host)
        // NIOSSL has already compared the socket's address.
        if name == nil, !isTunnelled { return true }
        guard let der = try? certificate?.toDERBytes() else { return false }
        let names = CertificateNames(der: der)
        return name.map { names.include(host: $0) } ?? names.include(address: host)
    }

    /// The key of a peer whose host must have another one; `nil` if it is allowed.
    func unexpectedKey(_ certificate: NIOSSLCertificate?, for host: String) -> UnexpectedKey? {
        guard let pinned = pins.keys(of: host) else { return nil }
        let key = certificate.flatMap { PublicKeyPin($0) }
        return PinnedKeys.refusal(of: key, insteadOf: pinned).map { UnexpectedKey(description: $0) }
    }

    /// A certificate for other hosts than the requested one.
    struct OtherHost: Error, CustomStringConvertible {
        var description: String { "the certificate is not valid for this host" }
    }

    /// A cipher suite that can't be chosen.
    struct OtherSuite: Error, CustomStringConvertible {
        let suite: TLSCipherSuite
        var description: String { "\(suite) is not a known cipher suite of TLS 1.2" }
    }

    /// A key that is not pinned for the host.
    struct UnexpectedKey: Error, CustomStringConvertible {
        let description: String
    }

    /// A new TLS handler for a host, whose certificate is verified, or compared with the named ones.
    func makeHandler(_ context: NIOSSLContext, for host: String, comparing: Bool) throws -> NIOSSLClientHandler {
        let name = Self.serverName(for: host)
        if comparing { return try named.makeHandler(context, name: name) }
        return try NIOSSLClientHandler(context: context, serverHostname: name)
    }

    /// The client certificate for an origin, which is read once; `nil` without an identity.
    private func certificate(for origin: Origin?) throws -> ClientCertificate? {
        guard let origin, let identity = settings.identities[origin] else { return nil }
        if let known = certificates.withLock({ $0[origin] }) { return try known.get() }
        let certificate = Result { () throws(ClientCertificate.Problem) in try ClientCertificate(identity) }
        certificates.withLock { $0[origin] = certificate }
        return try certificate.get()
    }

    private func makeContext(for key: Key, _ identity: ClientCertificate?) throws -> NIOSSLContext {
        var configuration = try configuration(for: key)
        guard let identity else { return try NIOSSLContext(configuration: configuration) }
        configuration.certificateChain = identity.chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(identity.key)
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw identity.problem ?? error
        }
    }

    /// The accepted signatures of servers: BoringSSL's own, and those of P-521 and Ed25519 keys, which it supports but
    /// does not offer by default.
    private static let signatures: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
        .rsaPkcs1Sha384, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .ed25519, .ecdsaSecp521R1Sha512, .rsaPkcs1Sha1,
    ]

    private func configuration(for key: Key) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.verifySignatureAlgorithms = Self.signatures
        configuration.minimumTLSVersion = settings.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        if settings.maximumVersion == .tls12 { configuration.maximumTLSVersion = .tlsv12 }
        if !settings.cipherSuites.isEmpty {
            // BoringSSL stops the process for others.
            if let other = settings.cipherSuites.first(where: { !$0.canBeOffered }) { throw OtherSuite(suite: other) }
            configuration.cipherSuiteValues = settings.cipherSuites.map { NIOTLSCipher(rawValue: $0.rawValue) }
        }
        configuration.certificateVerification =
            switch settings.verification {
            case .full: key.checksHost ? .fullVerification : .noHostnameVerification
            case .none: .none
            }
        configuration.applicationProtocols =
            switch key.version {
            case .automatic: ["h2", "http/1.1"]
            case .http1: ["http/1.1"]
            case .http2: ["h2"]
            }
        if case .systemAnd(let bytes) = settings.trustRoots {
            configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMBytes(bytes))]
        }
        configuration.trustRoots =
            switch settings.trustRoots {
            case .system, .systemAnd: .default
            case .pem(let bytes): .certificates(try NIOSSLCertificate.fromPEMBytes(bytes))
            case .files(let paths): .certificates(try paths.flatMap { try NIOSSLCertificate.fromPEMFile($0) })
            }
        return configuration
    }
}
