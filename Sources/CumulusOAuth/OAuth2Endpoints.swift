// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A server's addresses, checked: only these get secrets.
struct OAuth2Endpoints: Sendable {
    let tokens: RequestURL
    var authorization: RequestURL?
    var device: RequestURL?
    var revocation: RequestURL?
    /// The issuer at the authorization endpoint, if known (RFC 9207).
    var issuer: String?
    /// Whether its redirects always name it.
    var namesIssuer = false
    /// How clients may authenticate themselves; `nil` if the server doesn't say.
    var authenticationMethods: [String]?

    /// The addresses that the user gave.
    init(tokens: String, authorization: String?, device: String?, revocation: String?) throws(OAuth2Error) {
        self.tokens = try OAuth2Endpoints.address(tokens)
        self.authorization = try authorization.map(OAuth2Endpoints.address)
        self.device = try device.map(OAuth2Endpoints.address)
        self.revocation = try revocation.map(OAuth2Endpoints.address)
    }

    /// The addresses in a server's metadata (RFC 8414 section 2).
    ///
    /// - Parameters:
    ///   - metadata: The metadata.
    ///   - issuer: The issuer that it must be from.
    ///   - origins: The origins, besides the issuer's own, whose addresses may get secrets.
    /// - Throws: ``OAuth2Error``.
    init(_ metadata: JSON, of issuer: String, sharing origins: Set<Origin>) throws(OAuth2Error) {
        guard case .object(let members) = metadata else { throw TokenResponse.malformed("it is not a JSON object") }
        // Compared byte for byte (section 3.3): otherwise one server could speak for another.
        guard let named = members["issuer"]?.string, named.utf8.elementsEqual(issuer.utf8) else {
            let other = members["issuer"]?.string.map {
                "belongs to the issuer \(OAuth2Server.shown($0)); the two must be identical, including a final slash"
            }
            throw OAuth2Error(
                .mismatch,
                "the description of \(OAuth2Server.shown(issuer)) \(other ?? "contains no issuer")"
            )
        }
        let allowed = try origins.union([OAuth2Endpoints.address(issuer).origin])
        func secretly(_ name: String) throws(OAuth2Error) -> RequestURL? {
            guard let text = try TokenResponse.text(members, name) else { return nil }
            let url = try OAuth2Endpoints.address(text)
            guard allowed.contains(url.origin) else {
                throw OAuth2Error(
                    .undeclaredOrigin,
                    "\(OAuth2Server.shown(issuer)) publishes its \(name) at \(url.origin), which may not receive secrets "
                        + "unless you declare it"
                ).remedied(by: ".issuer(...).sharing(with: [...])")
            }
            return url
        }
        guard let tokens = try secretly("token_endpoint") else {
            throw TokenResponse.malformed("it has no token_endpoint")
        }
        self.tokens = tokens
        device = try secretly("device_authorization_endpoint")
        revocation = try secretly("revocation_endpoint")
        // The person's browser opens this address; it gets no secret.
        authorization = try TokenResponse.text(members, "authorization_endpoint").map(OAuth2Endpoints.address)
        self.issuer = issuer
        namesIssuer = members["authorization_response_iss_parameter_supported"]?.bool == true
        authenticationMethods = members["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
    }

    /// The client as it authenticates itself here: with its body if the server takes nothing else, unless the user
    /// chose.
    func adapted(_ client: OAuth2Client) -> OAuth2Client {
        let methods = authenticationMethods.map { Set($0) } ?? []
        guard !client.isAuthenticationChosen, client.authentication == .basic,
            methods.isSuperset(of: ["client_secret_post"]), methods.isDisjoint(with: ["client_secret_basic"])
        else { return client }
        return OAuth2Client(id: client.id, secret: client.secret, authentication: .body)
    }

    /// Checks an address that may get secrets: https, or on this machine.
    static func address(_ text: String) throws(OAuth2Error) -> RequestURL {
        let url: RequestURL
        do {
            url = try RequestURL(text)
        } catch {
            throw OAuth2Error(.insecureAddress, "a URL of the authorization server can't be used: \(error)")
        }
        guard url.origin.isConfidential else {
            throw OAuth2Error(.insecureAddress, "\(OAuth2Server.shown(text)) is neither https nor on this machine")
        }
        return url
    }
}
