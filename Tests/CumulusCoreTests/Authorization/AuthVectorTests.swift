// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import CumulusCore

/// The vectors of Basic and Digest, if they are available.
private enum AuthVectors {
    static let json: JSON? = {
        let folder = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        let url = URL(fileURLWithPath: folder).appendingPathComponent("auth-vectors/vectors.json")
        return (try? Data(contentsOf: url)).flatMap { try? JSON(parsing: Array($0)) }
    }()
}

@Suite(.enabled(if: AuthVectors.json != nil, "needs the auth vectors")) struct AuthVectorTests {
    private func text(_ vector: JSON, _ name: String) throws -> String { try #require(vector[name].string) }

    private func credentials(_ vector: JSON) throws -> Credentials {
        Credentials(user: try text(vector, "user"), password: Secret(try text(vector, "password")))
    }

    @Test func basic() async throws {
        let vectors = try #require(AuthVectors.json?["basic"].array)
        #expect(vectors.count == 2)
        for vector in vectors {
            let user = try credentials(vector)
            var request = EncodedRequest(method: .get, url: try RequestURL("https://a.example/"))
            try await BasicAuthorizer(user: user.user, password: user.password).authorize(&request)
            #expect(request.headers[.authorization] == vector["header"].string)
        }
    }

    /// The proof of a vector with an algorithm.
    private func proof(_ vector: JSON, _ algorithm: String, more: String = "") throws -> AuthenticationChallenge {
        let challenge =
            "Digest realm=\"\(try text(vector, "realm"))\", nonce=\"\(try text(vector, "nonce"))\", "
            + "qop=\"\(try text(vector, "qop"))\", opaque=\"\(try text(vector, "opaque"))\", algorithm=\(algorithm)\(more)"
        let offer = try #require(DigestOffer.strongest(of: AuthenticationChallenge.parse([challenge])))
        let proof = DigestCredentials(
            offer: offer,
            protection: offer.protection(prefersBody: false),
            count: try #require(UInt32(try text(vector, "nc"), radix: 16)),
            clientNonce: FieldText(try text(vector, "cnonce")),
            sessionNonce: offer.nonce,
            sessionClientNonce: FieldText(try text(vector, "cnonce"))
        )
        let field = try proof.field(
            for: credentials(vector),
            method: text(vector, "method"),
            target: text(vector, "uri"),
            body: nil
        )
        return try #require(AuthenticationChallenge.parse([field]).first)
    }

    @Test func digest() throws {
        let vectors = try #require(AuthVectors.json?["digest"].array)
        #expect(vectors.count == 3)
        var count = 0
        for vector in vectors {
            for (name, algorithm) in [("MD5", "MD5"), ("SHA256", "SHA-256")] where vector[name].string != nil {
                #expect(try proof(vector, algorithm)["response"] == vector[name].string)
                count += 1
            }
            // RFC 7616's own value was made with another hash (erratum 4897).
            guard let response = vector["true_response"].string else { continue }
            let hashed = try proof(vector, "SHA-512-256", more: ", userhash=true, charset=UTF-8")
            #expect(hashed["response"] == response)
            #expect(hashed["username"] == vector["true_userhash"].string)
            count += 1
        }
        #expect(count == 4)
    }
}
