// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The components that a message signature covers, and its parameters (RFC 9421 section 2.3).
public struct MessageSignatureOptions: Sendable, Hashable {
    /// The components that are covered; a request that lacks one of them fails.
    ///
    /// `Content-Digest`, `Content-Length` and `Date` are added if necessary. Default: `nil`, which covers the method,
    /// host, path, query, and `Content-Type` and `Content-Digest` if the request has them.
    public var components: [SignatureComponent]?
    /// The signature's label.
    ///
    /// Default: `sig1`.
    public var label = "sig1"
    /// Whether the signature includes its creation time.
    ///
    /// Default: true.
    public var tellsTime = true
    /// The time for which the signature is valid, in whole seconds.
    ///
    /// Default: `nil`, which sets no expiration.
    public var lifetime: Duration?
    /// Whether the signature names its algorithm.
    ///
    /// Default: true.
    public var namesAlgorithm = true
    /// Whether the signature includes a random number with which the server can recognize a repetition.
    ///
    /// Default: false.
    public var hasNonce = false
    /// The application's purpose for the signature.
    ///
    /// Default: `nil`, which sends no tag.
    public var tag: String?
    /// The algorithm of `Content-Digest`.
    ///
    /// Default: SHA-256.
    public var digest = ContentDigest.sha256

    /// Creates options with the defaults.
    public init() {}

    /// The label, if it is valid (RFC 9651 section 3.1.2).
    func checkedLabel() throws -> String {
        func isLower(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 || byte == UInt8(ascii: "*") }
        let isSound = label.utf8.allSatisfy { byte in
            isLower(byte) || byte &- 0x30 < 10 || "_-.".utf8.contains(byte)
        }
        guard isSound, let first = label.utf8.first, isLower(first) else {
            throw AuthorizationProblem(
                "\(PeerText.quoted(label)) can't be a signature's label: use lower-case letters"
            )
        }
        return label
    }
}
