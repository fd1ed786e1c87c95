// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation

/// The TLS settings of a transport, with the contents of the files that they name.
struct TrustPolicy: Sendable {
    /// The authorities that are trusted.
    struct Anchors: Sendable, Hashable {
        /// The certificates, in DER.
        let certificates: [[UInt8]]
        /// Whether the system's authorities are trusted, too.
        let includesSystem: Bool
    }

    /// The authorities; `nil` for the system's.
    let anchors: Anchors?
    let identities: [Origin: URLSessionTransport.TLS.Identity]
    private let keys: PinnedKeys
    /// The digest of the roots, and of each identity.
    private let rootParts: [String]
    private let clientParts: [Origin: [String]]

    /// Reads the settings, and the files that they name.
    init(_ settings: URLSessionTransport.TLS) throws(TransportFailure) {
        let text: [UInt8]?
        switch settings.trustRoots {
        case .system: text = nil
        case .pem(let bytes), .systemAnd(let bytes): text = bytes
        case .files(let paths):
            do {
                text = try paths.flatMap { try Data(contentsOf: URL(filePath: $0)) + [UInt8(ascii: "\n")] }
            } catch {
                throw .unusableTLS("the authorities can't be read: \((error as NSError).localizedDescription)", error)
            }
        }
        let includesSystem = if case .systemAnd = settings.trustRoots { true } else { false }
        anchors = try text.map { text throws(TransportFailure) in
            Anchors(certificates: try Self.certificates(text), includesSystem: includesSystem)
        }
        (identities, keys) = (settings.identities, PinnedKeys(settings.pins))
        rootParts = text.map { [includesSystem ? "more authorities" : "authorities", Self.digest($0)] } ?? []
        clientParts = settings.identities.mapValues { [Self.digest($0.pkcs12)] }
    }

    private static func certificates(_ text: [UInt8]) throws(TransportFailure) -> [[UInt8]] {
        let found = PEMCertificates(text)
        if let number = found.unreadable {
            throw .unusableTLS("certificate \(number) of the authorities can't be read")
        }
        guard !found.certificates.isEmpty else {
            throw .unusableTLS("the text of the authorities contains no certificate in PEM")
        }
        return found.certificates
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
    }

    /// The check of a host's certificate; `nil` if the system's own is enough.
    func check(of host: String) -> ServerCheck? {
        let keys = keys.keys(of: host)
        return anchors == nil && keys == nil ? nil : ServerCheck(anchors: anchors, keys: keys)
    }

    /// The client certificate for an origin, and the settings that verify its servers.
    func identity(at origin: Origin) -> TransportIdentity {
        var route = ["URLSession"] + rootParts
        if let keys = keys.keys(of: origin.host) {
            route += ["pins", "\(keys.count)"] + keys.map(\.description).sorted()
        }
        let client = clientParts[origin].map { ["\(origin)"] + $0 } ?? []
        return TransportIdentity(client: client.map { Secret($0) }, route: route.map { Secret($0) })
    }
}

extension TransportFailure {
    /// A part of the TLS settings can't be used.
    static func unusableTLS(_ reason: String, _ cause: (any Error)? = nil) -> TransportFailure {
        TransportFailure(.tls, "the TLS settings can't be used: \(reason)", fate: .unsent, cause: cause)
    }

    /// The server was refused during the handshake.
    ///
    /// The session may already have sent the request on a persistent connection that was then closed.
    init(refused origin: Origin, _ reason: String, hasSent: Bool?) {
        let fate = hasSent == true ? Fate.unknown : .unsent
        self.init(.tls, "can't establish TLS with \(origin): \(reason)", fate: fate)
    }
}
