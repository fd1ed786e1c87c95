// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOSSL

/// A client's certificate chain and key, read from PEM or a PKCS#12 file; each mistake has its own words.
struct ClientCertificate {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Why an identity can't be used.
    enum Problem: Error, Hashable {
        case noCertificate, unreadableCertificate
        case noKey, encryptedKey, unreadableKey
        case wrongPassphrase, unusablePassphrase
        /// The system has no library that reads PKCS#12.
        case missingLibrary(String)
        case unreadableFile(String?)
        case fileWithoutCertificate, fileWithoutKey
        /// The key belongs to none of the certificates.
        case otherKey
        /// The key belongs to a later certificate, counted from 1.
        case wrongOrder(Int)
    }

    init(_ identity: NIOTransport.Configuration.TLS.Identity) throws(Problem) {
        let identity = try PKCS12File(identity)?.identity() ?? identity
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(identity.certificateChain), !chain.isEmpty else {
            throw Self.holds("BEGIN CERTIFICATE-----", identity.certificateChain)
                ? .unreadableCertificate : .noCertificate
        }
        guard let key = try Self.key(identity) else {
            let text = identity.privateKey
            // PKCS #8 says it in the label, the older form in a field (RFC 1421 section 4.6.1.1).
            if Self.holds("BEGIN ENCRYPTED PRIVATE KEY-----", text) || Self.holds("4,ENCRYPTED", text) {
                throw identity.passphrase == nil ? .encryptedKey : .wrongPassphrase
            }
            throw Self.holds("PRIVATE KEY-----", text) ? .unreadableKey : .noKey
        }
        self.chain = chain
        self.key = key
    }

    /// The key, decrypted if necessary; `nil` if it can't be read.
    private static func key(
        _ identity: NIOTransport.Configuration.TLS.Identity
    ) throws(Problem) -> NIOSSLPrivateKey? {
        guard let passphrase = identity.passphrase else {
            return try? NIOSSLPrivateKey(bytes: identity.privateKey, format: .pem)
        }
        let bytes = Array(passphrase.revealed.utf8)
        // NIOSSL traps on any other byte, and ignores a passphrase that is longer than BoringSSL's buffer.
        guard bytes.count < 1_024, bytes.allSatisfy({ $0 < 0x80 }) else { throw .unusablePassphrase }
        return try? NIOSSLPrivateKey(bytes: identity.privateKey, format: .pem) { $0(bytes) }
    }

    /// Why a context could not be made with this identity; `nil` if the identity is not the reason.
    var problem: Problem? {
        guard let index = chain.firstIndex(where: belongs) else { return .otherKey }
        return index == 0 ? nil : .wrongOrder(index + 1)
    }

    private func belongs(_ certificate: NIOSSLCertificate) -> Bool {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([])
        configuration.certificateChain = [.certificate(certificate)]
        configuration.privateKey = .privateKey(key)
        return (try? NIOSSLContext(configuration: configuration)) != nil
    }

    private static func holds(_ mark: StaticString, _ text: [UInt8]) -> Bool {
        let mark = mark.withUTF8Buffer { Array($0) }
        // The lines of a PEM text are short, and there are few of them.
        return text.indices.contains { text[$0...].starts(with: mark) }
    }
}

extension ClientCertificate.Problem: CustomStringConvertible {
    var description: String {
        switch self {
        case .noCertificate: "the text contains no client certificate in PEM format"
        case .unreadableCertificate: "the client certificate can't be read"
        case .noKey: "the client certificate's key is missing: the text contains no private key in PEM format"
        case .encryptedKey:
            "the client certificate's private key is encrypted, and its passphrase is missing"
        case .wrongPassphrase: "the passphrase of the client certificate's private key is wrong"
        case .unusablePassphrase:
            "the passphrase of the client certificate's private key is too long, or contains a character that is not ASCII"
        case .missingLibrary(let reason):
            "the client certificate is a PKCS#12 file, which requires OpenSSL 3: \(reason)"
        case .unreadableFile(let reason):
            "the client certificate is a PKCS#12 file that can't be read\(reason.map { ": \($0)" } ?? "")"
        case .fileWithoutCertificate: "the PKCS#12 file contains no client certificate"
        case .fileWithoutKey: "the PKCS#12 file contains no private key"
        case .unreadableKey: "the client certificate's private key can't be read"
        case .otherKey: "the private key does not belong to the client certificate"
        case .wrongOrder(let number):
            "the client certificate must come before those of its issuers: the private key belongs to certificate "
                + "\(number) in the text"
        }
    }
}
