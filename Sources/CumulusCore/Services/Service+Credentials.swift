// SPDX-License-Identifier: Apache-2.0

extension Service {
    /// Authenticates all requests with user and password, by the description's scheme: Digest if it names that and not
    /// Basic, else Basic.
    ///
    /// Bound to the origin of the base URL; endpoints that need no proof get none.
    public func authorize(user: String, password: Secret<String>) {
        let schemes = definition.authorization?.schemes ?? []
        if schemes.contains(.digest), !schemes.contains(.basic) {
            resource.authorizers.append(.digest(user: user, password: password))
        } else {
            resource.authorizers.append(.basic(user: user, password: password))
        }
    }

    /// Authenticates all requests with a token or key, as the description says: in its header field or query item, else
    /// as a bearer token.
    ///
    /// Bound to the origin of the base URL; endpoints that need no proof get none.
    public func authorize(token: Secret<String>) {
        for scheme in definition.authorization?.schemes ?? [] {
            switch scheme {
            case .keyInHeader(let name): return resource.authorizers.append(.apiKey(token, header: Headers.Name(name)))
            case .keyInQuery(let name): return resource.authorizers.append(.apiKey(token, query: name))
            default: continue
            }
        }
        resource.authorizers.append(.bearer(token))
    }
}
