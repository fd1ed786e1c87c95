// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusOAuth

/// The vectors of OAuth 2, if they are available.
private enum OAuth2Vectors {
    static let json: JSON? = {
        let folder = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        let url = URL(fileURLWithPath: folder).appendingPathComponent("auth-vectors/vectors.json")
        return (try? Data(contentsOf: url)).flatMap { try? JSON(parsing: Array($0)) }
    }()
}

@Suite(.enabled(if: OAuth2Vectors.json != nil, "needs the auth vectors")) struct OAuth2VectorTests {
    private func text(_ vector: JSON, _ name: String) throws -> String { try #require(vector[name].string) }

    @Test func pkce() throws {
        let vector = try #require(OAuth2Vectors.json?["pkce"])
        #expect(vector["method"].string == "S256")
        #expect(CodeVerifier(verifier: try text(vector, "verifier")).challenge == vector["challenge"].string)
    }

    @Test func clientsInBasic() throws {
        let vectors = try #require(OAuth2Vectors.json?["oauth_client_basic"].array)
        #expect(vectors.count == 1)
        for vector in vectors {
            let client = OAuth2Client(
                id: try text(vector, "client_id"),
                secret: Secret(try text(vector, "client_secret"))
            )
            #expect(TokenChannel.basic(client) == vector["header"].string)
        }
    }
}
