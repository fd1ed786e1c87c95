// SPDX-License-Identifier: Apache-2.0

import Crypto
import CumulusCore
import CumulusPrimitives
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A certificate authority created at run time.
///
/// It is trusted only by clients that receive its root certificate.
public struct TestCertificateAuthority: Sendable {
    /// The validity period of a certificate.
    public enum Validity: Sendable {
        /// The certificate is valid from yesterday until next month.
        case current
        /// The certificate was valid until yesterday.
        case expired
        /// The certificate is valid from tomorrow.
        case notYetValid
    }

    /// A certificate with its private key, in PEM.
    public struct Identity: Sendable {
        /// The certificate, followed by those of its issuers.
        public var certificatesPEM: [String]
        /// The private key.
        public var privateKeyPEM: String
    }

    /// The root certificate, in PEM, which a client must trust.
    public let rootPEM: String

    private let root: Certificate
    private let key: P256.Signing.PrivateKey

    /// Creates an authority with a new key.
    public init(name: String = "Cumulus test authority") throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let root = try Self.certificate(
            subject: subject,
            issuer: subject,
            key: key.publicKey,
            signer: key,
            validity: .current,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(digitalSignature: true, keyCertSign: true, cRLSign: true))
            }
        )
        self.key = key
        self.root = root
        rootPEM = try root.serializeAsPEM().pemString
    }

    /// Issues a certificate for names and IPv4 addresses, valid for servers and for clients.
    public func issue(hosts: [String], validity: Validity = .current) throws -> Identity {
        try issue(hosts: hosts, validity: validity, isForServers: true)
    }

    /// Issues a certificate that may be for clients only.
    package func issue(hosts: [String], validity: Validity = .current, isForServers: Bool) throws -> Identity {
        let leafKey = P256.Signing.PrivateKey()
        let leaf = try Self.certificate(
            subject: DistinguishedName { CommonName(hosts.first ?? "nobody") },
            issuer: root.subject,
            key: leafKey.publicKey,
            signer: key,
            validity: validity,
            extensions: Self.leafExtensions(hosts, isForServers: isForServers)
        )
        return Identity(
            certificatesPEM: [try leaf.serializeAsPEM().pemString, rootPEM],
            privateKeyPEM: leafKey.pemRepresentation
        )
    }

    /// Creates a self-signed certificate.
    public static func selfSigned(hosts: [String], validity: Validity = .current) throws -> Identity {
        try selfSigned(hosts: hosts, validity: validity, isItsOwnAuthority: true)
    }

    /// Creates a self-signed certificate, which may not sign others if it is not an authority.
    package static func selfSigned(
        hosts: [String],
        validity: Validity = .current,
        isItsOwnAuthority: Bool
    ) throws -> Identity {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(hosts.first ?? "nobody") }
        let certificate = try certificate(
            subject: subject,
            issuer: subject,
            key: key.publicKey,
            signer: key,
            validity: validity,
            extensions: leafExtensions(hosts, isItsOwnAuthority: isItsOwnAuthority)
        )
        return Identity(
            certificatesPEM: [try certificate.serializeAsPEM().pemString],
            privateKeyPEM: key.pemRepresentation
        )
    }

    private static func leafExtensions(
        _ hosts: [String],
        isItsOwnAuthority: Bool = false,
        isForServers: Bool = true
    ) throws -> Certificate.Extensions {
        let names = hosts.map { host -> GeneralName in
            let octets = host.parts(at: ".").compactMap { UInt8($0) }
            return octets.count == 4
                ? .ipAddress(ASN1OctetString(contentBytes: ArraySlice(octets))) : .dnsName(host)
        }
        return try Certificate.Extensions {
            // A self-signed certificate must be a CA, or many clients don't accept it as a root.
            Critical(
                isItsOwnAuthority
                    ? BasicConstraints.isCertificateAuthority(maxPathLength: 0)
                    : BasicConstraints.notCertificateAuthority
            )
            Critical(KeyUsage(digitalSignature: true, keyCertSign: isItsOwnAuthority))
            try ExtendedKeyUsage(isForServers ? [.serverAuth, .clientAuth] : [.clientAuth])
            SubjectAlternativeNames(names)
        }
    }

    private static func certificate(
        subject: DistinguishedName,
        issuer: DistinguishedName,
        key: P256.Signing.PublicKey,
        signer: P256.Signing.PrivateKey,
        validity: Validity,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        let day = 86_400.0
        let (from, until) =
            switch validity {
            case .current: (-day, 30 * day)
            case .expired: (-30 * day, -day)
            case .notYetValid: (day, 30 * day)
            }
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key),
            notValidBefore: Date(timeIntervalSinceNow: from),
            notValidAfter: Date(timeIntervalSinceNow: until),
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(signer)
        )
    }
}
