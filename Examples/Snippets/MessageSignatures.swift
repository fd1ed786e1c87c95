// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusSignatures

func shared(site: Resource, secret: Secret<String>) {
    // snippet.hmac
    site.setRules { $0.authorizers.append(.messageSignature(.hmac(secret), keyID: "atlas")) }
    // snippet.end
}

func keys(site: Resource, pem: Secret<String>) throws {
    // snippet.ed25519
    let key = try Ed25519Signer(pem: pem)
    site.setRules { $0.authorizers.append(.messageSignature(key, keyID: "atlas-2026")) }
    // snippet.end
}

// snippet.own
struct VaultSigner: MessageSigner {
    let vault: Resource

    let algorithm = "ecdsa-p256-sha256"

    func signature(of base: [UInt8]) async throws -> [UInt8] {
        try await vault["sign"].post(.bytes(base)).requireSuccess().bytes.bytes
    }
}
// snippet.end

func options(site: Resource, secret: Secret<String>) {
    // snippet.options
    var options = MessageSignatureOptions()
    options.components = [.method, .targetURI, .queryParameter("account"), "date", "content-digest"]
    options.lifetime = .seconds(300)
    options.hasNonce = true
    options.tag = "payments"
    site.setRules { $0.authorizers.append(.messageSignature(.hmac(secret), keyID: "atlas", options: options)) }
    // snippet.end
}
