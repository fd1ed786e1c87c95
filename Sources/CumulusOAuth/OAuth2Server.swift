// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// An authorization server, which issues tokens.
///
/// Secrets are sent only to the addresses and origins that you declare here. All addresses must be https, except on
/// this machine itself (127.0.0.1, ::1, localhost) if no proxy is used for it.
public struct OAuth2Server: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case endpoints(tokens: String, authorization: String?, device: String?, revocation: String?)
        case issuer(String)
        case announced(issuers: [String])
    }

    let kind: Kind
    /// Additional origins that may get the client's secret, passwords and refresh tokens.
    private(set) var sharedOrigins: Set<Origin> = []

    private init(_ kind: Kind) { self.kind = kind }

    /// Returns a server whose endpoints you know.
    ///
    /// - Parameters:
    ///   - tokens: The token endpoint (RFC 6749 section 3.2).
    ///   - authorization: The authorization endpoint, where a person signs in (section 3.1), for authorization codes.
    ///   - device: The device authorization endpoint (RFC 8628 section 3.1).
    ///   - revocation: The revocation endpoint (RFC 7009), for ``OAuth2Authorizer/logOut(for:)``.
    /// - Returns: The server.
    public static func endpoints(
        tokens: String,
        authorization: String? = nil,
        device: String? = nil,
        revocation: String? = nil
    ) -> OAuth2Server {
        OAuth2Server(
            .endpoints(tokens: tokens, authorization: authorization, device: device, revocation: revocation)
        )
    }

    /// Returns a server that publishes its metadata (RFC 8414, or OpenID Connect's discovery):
    /// `https://id.example.com`.
    ///
    /// The metadata must name the same issuer, and its addresses must be at the issuer's origin or at an origin that is
    /// declared with ``sharing(with:)``.
    public static func issuer(_ url: String) -> OAuth2Server { OAuth2Server(.issuer(url)) }

    /// Returns the server that the service itself names in a refusal (RFC 9728), if it is one of these issuers.
    ///
    /// The first request is sent without a token. If a service names only other issuers, no token is requested.
    public static func announced(oneOf issuers: [String]) -> OAuth2Server { OAuth2Server(.announced(issuers: issuers)) }

    /// Returns a copy of the server whose metadata may also refer to other origins; these may receive the client's
    /// secret, passwords and refresh tokens.
    public func sharing(with origins: [Origin]) -> OAuth2Server {
        var shared = self
        shared.sharedOrigins.formUnion(origins)
        return shared
    }
}

extension OAuth2Server: CustomStringConvertible {
    /// The addresses, without queries.
    public var description: String {
        switch kind {
        case .endpoints(let tokens, _, _, _): OAuth2Server.shown(tokens)
        case .issuer(let issuer): OAuth2Server.shown(issuer)
        case .announced(let issuers): "one of \(issuers.map(OAuth2Server.shown).joined(separator: ", "))"
        }
    }

    /// An address without user and query; a slash at its end is shown only if it has one.
    static func shown(_ text: String) -> String {
        guard let url = try? RequestURL(text) else { return "an invalid URL" }
        let path = url.path == "/" && !text.before("?").before("#").ends(with: "/") ? "" : url.path
        return PeerText.printable("\(url.origin)\(path)")
    }
}
