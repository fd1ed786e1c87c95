// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusSignatures
import Foundation
import HTTPTypes
import Testing

/// HTTP Message Signatures, verified by PyPI's http-message-signatures.
@Suite(.enabled(if: InteropServers.signatures != nil, "\(InteropServers.reason)"))
struct SignedRequestTests {
    private static let secret =
        "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
    private static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
        -----END PRIVATE KEY-----
        """
    private static let p256 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
        AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
        4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
        -----END EC PRIVATE KEY-----
        """

    enum Key: String, CaseIterable {
        case hmac
        case ed25519
        case p256
    }

    private func authorizer(_ key: Key, _ options: MessageSignatureOptions) throws -> BoundAuthorizer {
        switch key {
        case .hmac:
            let secret = [UInt8](Data(base64Encoded: Self.secret) ?? Data())
            return .messageSignature(.hmac(Secret(secret)), keyID: "test-shared-secret", options: options)
        case .ed25519:
            let signer = try Ed25519Signer(pem: Secret(Self.ed25519))
            return .messageSignature(signer, keyID: "test-key-ed25519", options: options)
        case .p256:
            let signer = try P256Signer(pem: Secret(Self.p256))
            return .messageSignature(signer, keyID: "test-key-ecc-p256", options: options)
        }
    }

    @Test(arguments: Key.allCases, InteropTransport.allCases)
    func areVerified(key: Key, transport: InteropTransport) async throws {
        var options = MessageSignatureOptions()
        for variant in 0..<3 {
            switch variant {
            case 1:
                options.components = [.method, .targetURI, .requestTarget, .scheme, "content-length", "content-digest"]
                options.digest = .sha512
            case 2:
                options.components = [.queryParameter("a b"), "date", "x-more", "content-digest"]
                options.hasNonce = true
                options.tag = "a \"tag\""
                options.lifetime = .seconds(60)
            default: break
            }
            let site = try transport.resource(InteropServers.signatures)["\(key.rawValue)"]
            let authorizer = try authorizer(key, options)
            site.setRules { $0.authorizers = [authorizer] }
            site.setRules { $0.headers = ["X-More": "one", "x-more": "two"] }
            let response = try await site["a b/ü"].post(.json(["n": 1] as JSON), query: ["a b": "c+d e", "x": "1"])
            let told = try response.decode(as: JSON.self)
            #expect(response.status == .ok, "\(told)")
            let covered = told["covered"]
            #expect(covered.array?.contains("\"content-digest\"") == true)
        }
    }

    @Test func aChangedRequestIsRefused() async throws {
        let site = try InteropTransport.nio.resource(InteropServers.signatures)["hmac"]
        site.setRules { $0.authorizers = [.messageSignature(.hmac("another"), keyID: "test-shared-secret")] }
        #expect(try await site.get().status == .unauthorized)
    }
}
