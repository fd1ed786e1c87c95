// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The SHA-256 digest of a public key, as encoded in its certificate (SubjectPublicKeyInfo; RFC 7469 section 2.4).
public struct PublicKeyPin: Sendable, Hashable {
    /// The error for a string that is not a pin, or for an unreadable certificate.
    public struct Malformation: Error, Hashable, CustomStringConvertible {
        /// A description of the problem.
        public let description: String
    }

    private let digest: [UInt8]

    /// Creates a pin from its usual form: 32 bytes in base64, with or without a prefix `sha256/` or `sha256//`.
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

    /// Creates the pin of a certificate's key.
    ///
    /// - Parameter pem: The certificate in PEM; if there are several, the first is used.
    /// - Throws: ``Malformation`` if the text has no certificate.
    public init(certificate pem: [UInt8]) throws(Malformation) {
        guard let first = PEMCertificates(pem).first, let pin = Self(der: first) else {
            throw Malformation(description: "the text contains no certificate in PEM format to make a pin from")
        }
        self = pin
    }

    /// The pin of a certificate in DER (RFC 5280 section 4.1); `nil` if the bytes are not a certificate.
    package init?(der certificate: [UInt8]) {
        var outer = DERReader(certificate[...])
        guard let whole = outer.next(), var fields = DERReader(contentsOf: whole).nested() else { return nil }
        // The version (tagged 0, absent in version 1).
        if fields.peek == 0xa0 { _ = fields.next() }
        // The serial number, then sequences: signature algorithm, issuer, validity, subject, key.
        guard fields.peek == 0x02, fields.next() != nil else { return nil }
        var key: ArraySlice<UInt8>?
        for _ in 1...5 {
            guard fields.peek == 0x30, let field = fields.next() else { return nil }
            key = field
        }
        guard let key else { return nil }
        self.init(publicKey: Array(key))
    }

    /// The pin of a key as in a certificate (SubjectPublicKeyInfo).
    package init(publicKey: [UInt8]) { digest = MessageDigest.sha256(of: publicKey) }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin, `sha256/` and the digest in base64.
    public var description: String { "sha256/\(Data(digest).base64EncodedString())" }
}
