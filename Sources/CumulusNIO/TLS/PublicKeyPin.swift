// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOSSL

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension NIOTransport.Configuration.TLS {
    /// The SHA-256 of a public key, as in its certificate (SubjectPublicKeyInfo; RFC 7469 section 2.4).
    public struct PublicKeyPin: Sendable, Hashable {
        /// A string that is not a pin, or an unreadable certificate.
        public struct Malformation: Error, Hashable, CustomStringConvertible {
            /// The problem, in words.
            public let description: String
        }

        private let digest: [UInt8]

        /// Parses a pin in its usual form: 32 bytes in base64, with or without a prefix `sha256/` or `sha256//`.
        ///
        /// - Throws: ``Malformation`` for anything else.
        public init(_ text: String) throws(Malformation) {
            // The base64 may itself begin with a slash: the right prefix is the one that leaves 32 bytes.
            let readings = ["sha256/", "sha256//", ""].lazy.filter { text.begins(with: $0) }.compactMap { prefix in
                Data(base64Encoded: String(text.dropFirst(prefix.count)))
            }
            guard let data = readings.first(where: { $0.count == 32 }) else {
                throw Malformation(description: "\"\(text)\" is not a pin: write sha256/ and 32 bytes in Base64")
            }
            digest = Array(data)
        }

        /// The pin of a certificate's key.
        ///
        /// - Parameter pem: The certificate in PEM; the first one if there are several.
        /// - Throws: ``Malformation`` if it is missing.
        public init(certificate pem: [UInt8]) throws(Malformation) {
            guard let first = try? NIOSSLCertificate.fromPEMBytes(pem).first, let pin = Self(first) else {
                throw Malformation(description: "the text contains no certificate in PEM format to make a pin from")
            }
            self = pin
        }

        init?(_ certificate: NIOSSLCertificate) {
            guard let key = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
            digest = MessageDigest.sha256(of: key)
        }
    }
}

extension NIOTransport.Configuration.TLS.PublicKeyPin: CustomStringConvertible {
    /// The pin, `sha256/` and the digest in base64.
    public var description: String { "sha256/\(Data(digest).base64EncodedString())" }
}

/// The keys that hosts may have, by the names of the pins.
struct PinnedKeys: Sendable {
    typealias Pin = NIOTransport.Configuration.TLS.PublicKeyPin

    private let pins: [String: Set<Pin>]

    init(_ pins: [String: Set<Pin>]) {
        self.pins = Dictionary(pins.map { ($0.lowercased(), $1) }) { $0.union($1) }
    }

    /// Whether no host is pinned.
    var isEmpty: Bool { pins.isEmpty }

    /// The keys that a host may have; `nil` for any.
    ///
    /// The host's own name takes precedence over the longest matching `*.` pattern, and that over `*`.
    func keys(of host: String) -> Set<Pin>? {
        let host = host.ends(with: ".") ? String(host.dropLast()) : host
        if let exact = pins[host] { return exact }
        var rest = host[...]
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            if let found = pins["*.\(rest)"] { return found }
        }
        return pins["*"]
    }
}
