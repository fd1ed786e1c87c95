// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The proof in a request that was sent.
struct DigestUse: Sendable {
    let realm: String
    let nonce: String
    let target: String
    let clientNonce: String?
    let count: UInt32?
    let protection: DigestOffer.Protection?

    /// Reads the proof from a request; `nil` if there is none.
    init?(_ request: EncodedRequest) {
        guard let value = request.headers[.authorization],
            let proof = AuthenticationChallenge.parse([value]).first, proof.isScheme("Digest"),
            let realm = proof.realm, let nonce = proof["nonce"], let target = proof["uri"]
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.target = target
        clientNonce = proof["cnonce"]
        count = proof["nc"].flatMap { UInt32($0, radix: 16) }
        protection = proof["qop"].flatMap(DigestOffer.Protection.init)
    }
}
