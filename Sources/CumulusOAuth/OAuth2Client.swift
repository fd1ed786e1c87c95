// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A program's registration with its authorization server: an identifier, and a secret if it can keep one (RFC 6749
/// section 2).
///
/// A literal creates a public client, without a secret: `"atlas-cli"`.
public struct OAuth2Client: Sendable, Hashable {
    /// How a client authenticates itself.
    public enum Authentication: Sendable, Hashable {
        /// With Basic authentication, which nearly every server supports; the identifier and the secret are
        /// form-encoded first.
        case basic
        /// With fields in the request's body, for servers that support nothing else.
        case body
        /// Without authentication: the client sends only its identifier.
        case none
    }

    /// The identifier that the server issued.
    public let id: String
    /// The client's secret; `nil` for a public client.
    public let secret: Secret<String>?
    /// How the client authenticates itself.
    public let authentication: Authentication
    /// Whether that was chosen by the user, so that a server's metadata doesn't change it.
    let isAuthenticationChosen: Bool

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - id: The identifier that the server issued.
    ///   - secret: The client's secret; `nil` for a public client, which runs on its users' machines.
    ///   - authentication: How the client authenticates itself; by default with Basic if there is a secret, or in the
    ///     body if the server's metadata allows nothing else.
    public init(id: String, secret: Secret<String>? = nil, authentication: Authentication? = nil) {
        self.id = id
        self.secret = secret
        self.authentication = secret == nil ? .none : authentication ?? .basic
        isAuthenticationChosen = authentication != nil
    }
}

extension OAuth2Client: ExpressibleByStringLiteral {
    /// Creates a public client.
    public init(stringLiteral id: String) { self.init(id: id) }
}
