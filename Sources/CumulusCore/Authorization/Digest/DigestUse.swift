// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The Digest credentials in a request that was sent.
struct DigestUse: Sendable {
    let realm: FieldText
    let nonce: FieldText
    let target: String
    let clientNonce: FieldText?
    let count: UInt32?
    /// The parts that the credentials cover; `nil` for servers of RFC 2069, which have no `qop`.
    private(set) var protection: DigestOffer.Protection?

    /// Reads the credentials from a request; `nil` if it has no Digest credentials.
    init?(_ request: EncodedRequest) {
        guard let proof = AuthenticationChallenge.parse(request.headers.texts(.authorization)).first,
            proof.isScheme("Digest"), let realm = proof.text(of: "realm"), let nonce = proof.text(of: "nonce"),
            let target = proof["uri"]
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.target = target
        clientNonce = proof.text(of: "cnonce")
        count = proof["nc"].flatMap { UInt32($0, radix: 16) }
        protection = proof["qop"].flatMap(DigestOffer.Protection.init)
    }

    /// The same credentials with another protection.
    func covering(_ protection: DigestOffer.Protection?) -> DigestUse {
        var use = self
        use.protection = protection
        return use
    }
}
