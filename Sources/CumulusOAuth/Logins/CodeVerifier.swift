// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Proves that the token request comes from the program that started the login: PKCE (RFC 7636), with SHA-256.
struct CodeVerifier: Sendable {
    let verifier: Secret<String>
    let challenge: String

    init(verifier: String) {
        self.verifier = Secret(verifier)
        challenge = CodeVerifier.base64URL(MessageDigest.sha256(of: Array(verifier.utf8)))
    }

    /// Base64 for URLs, without padding (RFC 4648 section 5).
    static func base64URL(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString().utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
