// SPDX-License-Identifier: Apache-2.0

import CLibraries
import CumulusCore

/// A certificate with its key in a PKCS#12 file (RFC 7292), which OpenSSL decrypts.
///
/// NIOSSL has a reader too, but it ends the program if a file has no certificate or no key.
package struct PKCS12File {
    private let bytes: [UInt8]
    private let passphrase: Secret<String>?

    /// The file that an identity consists of; `nil` if that is in PEM.
    package init?(_ identity: NIOTransport.Configuration.TLS.Identity) {
        guard PKCS12File.isOne(identity.certificateChain) else { return nil }
        bytes = identity.certificateChain
        passphrase = identity.passphrase
    }

    /// Whether a file begins with a sequence and version 3; a certificate begins with two sequences.
    package static func isOne(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        // Long lengths have their own length before them (ITU-T X.690 section 8.1.3); 0x80 is a length at the end.
        let lengthBytes = bytes[1] > 0x80 ? Int(bytes[1] & 0x7F) : 0
        return bytes.dropFirst(2 + lengthBytes).starts(with: [0x02, 0x01, 0x03])
    }

    /// Whether it can be opened only with a passphrase that is missing.
    package var isLocked: Bool {
        guard passphrase == nil else { return false }
        do throws(ClientCertificate.Problem) {
            _ = try identity()
            return false
        } catch {
            return error == .encryptedKey
        }
    }

    /// The certificate, those of its issuers, and the key, in PEM.
    func identity() throws(ClientCertificate.Problem) -> NIOTransport.Configuration.TLS.Identity {
        if let missing = clibraries_pkcs12_missing() { throw .missingLibrary(String(cString: missing)) }
        let words = passphrase?.revealed ?? ""
        // C would ignore the bytes after it.
        guard !words.utf8.contains(0) else { throw .wrongPassphrase }
        let opened = clibraries_pkcs12_open(bytes, bytes.count, words)
        switch opened.result {
        case CLIBRARIES_PKCS12_READ: break
        case CLIBRARIES_PKCS12_WRONG_PASSPHRASE: throw passphrase == nil ? .encryptedKey : .wrongPassphrase
        case CLIBRARIES_PKCS12_NO_KEY: throw .fileWithoutKey
        case CLIBRARIES_PKCS12_NO_CERTIFICATE: throw .fileWithoutCertificate
        case CLIBRARIES_PKCS12_NO_MAC: throw .unreadableFile("it has no message authentication code")
        case CLIBRARIES_PKCS12_OTHER_KEY: throw .otherKey
        default: throw .unreadableFile(opened.problem.map { String(cString: $0) })
        }
        var isComplete = false
        let pem = [UInt8](unsafeUninitializedCapacity: opened.count) { room, count in
            isComplete = room.baseAddress.map { clibraries_pkcs12_read(opened, $0) } ?? false
            count = isComplete ? opened.count : 0
        }
        guard isComplete else { throw .unreadableFile(nil) }
        return NIOTransport.Configuration.TLS.Identity(certificateChain: pem, privateKey: pem)
    }
}
