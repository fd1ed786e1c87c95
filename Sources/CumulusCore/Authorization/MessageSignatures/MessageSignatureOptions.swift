// SPDX-License-Identifier: Apache-2.0

/// What a message signature covers, and what it says of itself (RFC 9421 section 2.3).
public struct MessageSignatureOptions: Sendable, Hashable {
    /// What is covered; a request that lacks one of them fails.
    ///
    /// `Content-Digest`, `Content-Length` and `Date` are filled in if need be. Default: `nil`, which covers the method,
    /// host, path, query, and whichever of `Content-Type` and `Content-Digest` the request has.
    public var components: [SignatureComponent]?
    /// The signature's name among several; default: `sig1`.
    public var label = "sig1"
    /// Whether it says when it was made; default: true.
    public var tellsTime = true
    /// How long it is good for, in whole seconds; default: `nil`, which says nothing.
    public var lifetime: Duration?
    /// Whether it names its algorithm; default: true.
    public var namesAlgorithm = true
    /// Whether it has a random number that the server can recognize it by; default: false.
    public var hasNonce = false
    /// What it is for, as the server's application has it; default: `nil`, which says nothing.
    public var tag: String?
    /// How `Content-Digest` is made; default: SHA-256.
    public var digest = ContentDigest.sha256

    /// The defaults.
    public init() {}

    /// The label, if it can be one (RFC 9651 section 3.1.2).
    func checkedLabel() throws -> String {
        func isLower(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 || byte == UInt8(ascii: "*") }
        let isSound = label.utf8.allSatisfy { byte in
            isLower(byte) || byte &- 0x30 < 10 || "_-.".utf8.contains(byte)
        }
        guard isSound, let first = label.utf8.first, isLower(first) else {
            throw AuthorizationProblem(
                "\(RequestURL.quote(label)) can't be a signature's label: use lower-case letters"
            )
        }
        return label
    }
}
