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
