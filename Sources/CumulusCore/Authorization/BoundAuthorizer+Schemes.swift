// SPDX-License-Identifier: Apache-2.0

extension BoundAuthorizer {
    /// Basic authentication (RFC 7617) in UTF-8, which shows the server the password: use https.
    ///
    /// It goes along with the first request already, or, with `whenAsked`, once the server has asked for it. A user's
    /// name can't have a colon.
    public static func basic(user: String, password: Secret<String>, whenAsked: Bool = false) -> BoundAuthorizer {
        whenAsked
            ? .custom(ChallengedBasicAuthorizer(Credentials(user: user, password: password)))
            : .custom(BasicAuthorizer(user: user, password: password))
    }

    /// A bearer token (RFC 6750).
    public static func bearer(_ token: Secret<String>) -> BoundAuthorizer { .custom(BearerAuthorizer(token)) }

    /// Digest authentication (RFC 7616); see ``DigestAuthorizer``.
    public static func digest(
        user: String,
        password: Secret<String>,
        protectsBodies: Bool = false
    ) -> BoundAuthorizer {
        .custom(DigestAuthorizer(user: user, password: password, protectsBodies: protectsBodies))
    }

    /// An API key in a header field: `.apiKey(key, header: "X-API-Key")`.
    public static func apiKey(_ key: Secret<String>, header name: Headers.Name) -> BoundAuthorizer {
        .custom(APIKeyAuthorizer(key, header: name))
    }

    /// An API key in the query; see ``APIKeyAuthorizer``.
    public static func apiKey(_ key: Secret<String>, query name: String) -> BoundAuthorizer {
        .custom(APIKeyAuthorizer(key, query: name))
    }

    /// A signature of the query's sorted items; see ``SortedParametersAuthorizer``.
    public static func sortedParameters(secret: Secret<String>, signatureName name: String = "sig") -> BoundAuthorizer {
        .custom(SortedParametersAuthorizer(secret: secret, signatureName: name))
    }

    /// User and password, asked for when the server wants them; see ``PromptAuthorizer``.
    public static func prompting(_ ask: @escaping PromptAuthorizer.Ask) -> BoundAuthorizer {
        .custom(PromptAuthorizer(ask))
    }

    /// What a netrc file has for the origin's host, as Basic authentication.
    public static func netrc(_ file: NetrcFile) -> BoundAuthorizer { .custom(NetrcAuthorizer(file: file)) }

    /// An authorizer of your own.
    public static func custom(_ authorizer: some Authorizer) -> BoundAuthorizer { BoundAuthorizer(authorizer) }
}
