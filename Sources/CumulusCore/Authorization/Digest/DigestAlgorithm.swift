// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// An algorithm of Digest authentication (RFC 7616 section 3.3), ordered by strength.
struct DigestAlgorithm: Sendable, Hashable {
    let hash: MessageDigest.Algorithm
    /// Whether user and password are hashed again with the first nonces (`-sess`).
    let isSession: Bool

    /// Finds the algorithm by its name in a challenge, in any case; MD5 if there is no name, `nil` if it is unknown.
    init?(_ name: String?) {
        switch name?.lowercased() {
        case nil, "md5": (hash, isSession) = (.md5, false)
        case "md5-sess": (hash, isSession) = (.md5, true)
        case "sha-256": (hash, isSession) = (.sha256, false)
        case "sha-256-sess": (hash, isSession) = (.sha256, true)
        case "sha-512-256": (hash, isSession) = (.sha512Over256, false)
        case "sha-512-256-sess": (hash, isSession) = (.sha512Over256, true)
        default: return nil
        }
    }

    var name: String {
        let base =
            switch hash {
            case .sha512Over256: "SHA-512-256"
            case .sha256: "SHA-256"
            default: "MD5"
            }
        return isSession ? "\(base)-sess" : base
    }

    /// Larger is stronger; `-sess` makes no difference.
    var strength: Int {
        switch hash {
        case .sha512Over256: 2
        case .sha256: 1
        default: 0
        }
    }

    /// The digest of parts joined by colons, in hexadecimal digits.
    func digest(_ parts: FieldText...) -> String {
        let bytes = Array(parts.map(\.bytes).joined(separator: [UInt8(ascii: ":")]))
        return MessageDigest.hexadecimal(MessageDigest.bytes(of: bytes, by: hash))
    }
}
