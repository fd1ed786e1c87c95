// SPDX-License-Identifier: Apache-2.0

extension Service {
    /// Has all requests prove who sends them by user and password, in the way that the description asks for: Digest where
    /// it names that and not Basic, else Basic.
    ///
    /// Bound to the origin of the base URL; endpoints that need no proof carry none.
    public func authorize(user: String, password: Secret<String>) {
        let schemes = definition.authorization?.schemes ?? []
        if schemes.contains(.digest), !schemes.contains(.basic) {
            resource.authorizers.append(.digest(user: user, password: password))
        } else {
            resource.authorizers.append(.basic(user: user, password: password))
        }
    }

    /// Has all requests prove who sends them by a token or key, in the way that the description asks for: in the header
    /// field or query item that it names, else as a bearer token.
    ///
    /// Bound to the origin of the base URL; endpoints that need no proof carry none.
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
