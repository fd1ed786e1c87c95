// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension Service {
    /// Authenticates this value's requests with a user and password, by the description's scheme: Digest if the
    /// description names Digest but not Basic, otherwise Basic.
    ///
    /// The credentials are bound to the origin of the base URL, and are not sent to endpoints that don't need them.
    /// Other values on the same resource are not affected.
    public mutating func authorize(user: String, password: Secret<String>) {
        let schemes = definition.authorization?.schemes ?? []
        let isDigest = schemes.contains(.digest) && !schemes.contains(.basic)
        self = with {
            $0.authorizers.append(
                isDigest ? .digest(user: user, password: password) : .basic(user: user, password: password)
            )
        }
    }

    /// Authenticates this value's requests with a token or key: in the header field or query item that the description
    /// specifies, otherwise as a bearer token.
    ///
    /// The credentials are bound to the origin of the base URL, and are not sent to endpoints that don't need them.
    /// Other values on the same resource are not affected.
    public mutating func authorize(token: Secret<String>) {
        let scheme = definition.authorization?.schemes.compactMap { scheme -> BoundAuthorizer? in
            switch scheme {
            case .keyInHeader(let name): .apiKey(token, header: Headers.Name(name))
            case .keyInQuery(let name): .apiKey(token, query: name)
            default: nil
            }
        }.first
        self = with { $0.authorizers.append(scheme ?? .bearer(token)) }
    }
}
