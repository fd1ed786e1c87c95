// SPDX-License-Identifier: Apache-2.0

/// An algorithm of Digest authentication (RFC 7616 section 3.3), by its strength.
struct DigestAlgorithm: Sendable, Hashable {
    let hash: MessageDigest.Algorithm
    /// Whether user and password are hashed once more with the first nonces (`-sess`).
    let isSession: Bool

    /// By the name that a challenge gives it, in any case; MD5 without one, and `nil` if it is not known.
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

    /// More is stronger; whether it is a session's is of no matter.
    var strength: Int {
        switch hash {
        case .sha512Over256: 2
        case .sha256: 1
        default: 0
        }
    }

    /// The digest of parts with colons between them, in hexadecimal digits.
    func digest(_ parts: String...) -> String {
        MessageDigest.hexadecimal(MessageDigest.bytes(of: Array(parts.joined(separator: ":").utf8), by: hash))
    }
}
