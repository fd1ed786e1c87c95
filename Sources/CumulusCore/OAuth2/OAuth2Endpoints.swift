// SPDX-License-Identifier: Apache-2.0

/// A server's addresses, checked: none but these are shown a secret.
struct OAuth2Endpoints: Sendable {
    let tokens: RequestURL
    var authorization: RequestURL?
    var device: RequestURL?
    var revocation: RequestURL?
    /// Who answers at the authorization address, where that is known (RFC 9207).
    var issuer: String?
    /// Whether it always says so.
    var namesIssuer = false

    /// Addresses of the user's own.
    init(tokens: String, authorization: String?, device: String?, revocation: String?) throws(OAuth2Error) {
        self.tokens = try OAuth2Endpoints.address(tokens)
        self.authorization = try authorization.map(OAuth2Endpoints.address)
        self.device = try device.map(OAuth2Endpoints.address)
        self.revocation = try revocation.map(OAuth2Endpoints.address)
    }

    /// The addresses of a server's description (RFC 8414 section 2).
    ///
    /// - Parameters:
    ///   - metadata: The description.
    ///   - issuer: For whom it must speak.
    ///   - origins: Where its addresses may be that are shown secrets, besides the issuer's own origin.
    /// - Throws: ``OAuth2Error``.
    init(_ metadata: JSON, of issuer: String, sharing origins: Set<Origin>) throws(OAuth2Error) {
        guard case .object(let members) = metadata else { throw TokenAnswer.malformed("it is not a JSON object") }
        // Character for character (section 3.3): else one server could speak for another.
        guard let named = members["issuer"]?.string, named.utf8.elementsEqual(issuer.utf8) else {
            throw OAuth2Error(.mismatch, "the description of \(OAuth2Server.shown(issuer)) belongs to another issuer")
        }
        let allowed = try origins.union([OAuth2Endpoints.address(issuer).origin])
        func secretly(_ name: String) throws(OAuth2Error) -> RequestURL? {
            guard let text = try TokenAnswer.text(members, name) else { return nil }
            let url = try OAuth2Endpoints.address(text)
            guard allowed.contains(url.origin) else {
                throw OAuth2Error(
                    .undeclaredOrigin,
                    "\(OAuth2Server.shown(issuer)) has its \(name) at \(url.origin), which may not receive secrets "
                        + "unless you declare it: .issuer(...).sharing(with: [...])"
                )
            }
            return url
        }
        guard let tokens = try secretly("token_endpoint") else {
            throw TokenAnswer.malformed("it has no token_endpoint")
        }
        self.tokens = tokens
        device = try secretly("device_authorization_endpoint")
        revocation = try secretly("revocation_endpoint")
        // Opened by the person's browser, and shown no secret.
        authorization = try TokenAnswer.text(members, "authorization_endpoint").map(OAuth2Endpoints.address)
        self.issuer = issuer
        namesIssuer = members["authorization_response_iss_parameter_supported"]?.bool == true
    }

    /// An address that secrets may travel to: https, or on this machine.
    static func address(_ text: String) throws(OAuth2Error) -> RequestURL {
        let url: RequestURL
        do {
            url = try RequestURL(text)
        } catch {
            throw OAuth2Error(.insecureAddress, "an address of the authorization server can't be used: \(error)")
        }
        guard url.origin.isConfidential else {
            throw OAuth2Error(.insecureAddress, "\(OAuth2Server.shown(text)) is not https, and not on this machine")
        }
        return url
    }
}
