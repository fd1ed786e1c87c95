// SPDX-License-Identifier: Apache-2.0

import Cumulus

func credentials(site: Resource, password: Secret<String>, token: Secret<String>) {
    // snippet.credentials
    site.credentials = Credentials(user: "ada", password: password)
    // snippet.end

    // snippet.authorizers
    site.authorizers = [.bearer(token)]
    // snippet.end

    // snippet.replace
    let open = site["public"]
    open.authorizers = .replacing([])  // nothing is proven here
    // snippet.end

    // snippet.explain
    print(site.explain(\.authorizers))
    // snippet.end
}

// snippet.own
struct KeyAuthorizer: Authorizer {
    let key: Secret<String>

    var mayWait: Bool { false }  // the key is at hand

    func authorize(_ request: inout EncodedRequest) async throws {
        request.headers[.authorization] = "ApiKey \(key.revealed)"
    }
}
// snippet.end

func own(site: Resource, key: Secret<String>) {
    // snippet.own-use
    site.authorizers.append(.custom(KeyAuthorizer(key: key)))
    // snippet.end
}

// snippet.token
struct Token: Decodable, Sendable {
    var token: String
}

struct TokenAuthorizer: Authorizer {
    let tokens: Resource

    func authorize(_ request: inout EncodedRequest) async throws {
        let fresh = try await tokens.post(as: Token.self)
        request.headers[.authorization] = "Bearer \(fresh.token)"
    }
}
// snippet.end

func token(site: Resource) {
    // snippet.token-use
    let tokens = site["token"]
    tokens.authorizers = .replacing([])  // or it would need a token to get a token
    site.authorizers.append(.custom(TokenAuthorizer(tokens: tokens)))
    // snippet.end
}
