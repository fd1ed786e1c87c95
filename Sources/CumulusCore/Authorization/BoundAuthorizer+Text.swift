// SPDX-License-Identifier: Apache-2.0

// Overloads for secrets in a `String`. They are disfavored because literals already make a `Secret`.
extension BoundAuthorizer {
    /// Creates an authorizer for Basic authentication (RFC 7617).
    @_disfavoredOverload
    public static func basic(user: String, password: String, whenAsked: Bool = false) -> BoundAuthorizer {
        .basic(user: user, password: Secret(password), whenAsked: whenAsked)
    }

    /// Creates an authorizer that sends a bearer token (RFC 6750).
    @_disfavoredOverload
    public static func bearer(_ token: String) -> BoundAuthorizer { .bearer(Secret(token)) }

    /// Creates an authorizer for Digest authentication (RFC 7616).
    @_disfavoredOverload
    public static func digest(user: String, password: String, protectsBodies: Bool = false) -> BoundAuthorizer {
        .digest(user: user, password: Secret(password), protectsBodies: protectsBodies)
    }

    /// Creates an authorizer that sends an API key in a header field.
    @_disfavoredOverload
    public static func apiKey(_ key: String, header name: Headers.Name) -> BoundAuthorizer {
        .apiKey(Secret(key), header: name)
    }

    /// Creates an authorizer that sends an API key in the query.
    @_disfavoredOverload
    public static func apiKey(_ key: String, query name: String) -> BoundAuthorizer {
        .apiKey(Secret(key), query: name)
    }
}
