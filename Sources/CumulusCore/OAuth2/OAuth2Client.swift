// SPDX-License-Identifier: Apache-2.0

/// A program as its authorization server knows it: an identifier, and a secret if it can keep one (RFC 6749 section 2).
///
/// A literal is a public client, without a secret: `"atlas-cli"`.
public struct OAuth2Client: Sendable, Hashable {
    /// How a client proves who it is.
    public enum Authentication: Sendable, Hashable {
        /// By Basic authentication, which every server knows; identifier and secret are form-encoded first.
        case basic
        /// By fields of the request's body, for servers that know no other way.
        case body
        /// Not at all: it only gives its identifier.
        case none
    }

    /// The identifier that the server gave it.
    public let id: String
    /// Its secret; `nil` for a public client.
    public let secret: Secret<String>?
    /// How it proves who it is.
    public let authentication: Authentication

    /// Describes a client.
    ///
    /// - Parameters:
    ///   - id: The identifier that the server gave it.
    ///   - secret: Its secret; `nil` for a public client, one that runs on people's own machines.
    ///   - authentication: How it proves who it is; `nil` is Basic where there is a secret.
    public init(id: String, secret: Secret<String>? = nil, authentication: Authentication? = nil) {
        self.id = id
        self.secret = secret
        self.authentication = secret == nil ? .none : authentication ?? .basic
    }
}

extension OAuth2Client: ExpressibleByStringLiteral {
    /// A public client.
    public init(stringLiteral id: String) { self.init(id: id) }
}
