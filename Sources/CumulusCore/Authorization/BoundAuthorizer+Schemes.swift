// SPDX-License-Identifier: Apache-2.0

extension BoundAuthorizer {
    /// Basic authentication (RFC 7617) in UTF-8, which shows the server the password: use https.
    ///
    /// It is sent along with the first request already, or, with `whenAsked`, once the server has asked for it. A
    /// user's name can't have a colon.
    ///
    /// User and password go as they are. RFC 7617 section 2.1 wants them in Unicode's form C (NFC), which text from a
    /// keyboard mostly has; `precomposedStringWithCanonicalMapping` of Foundation makes it.
    public static func basic(user: String, password: Secret<String>, whenAsked: Bool = false) -> BoundAuthorizer {
        whenAsked
            ? .custom(ChallengedBasicAuthorizer(Credentials(user: user, password: password)))
            : .custom(BasicAuthorizer(user: user, password: password))
    }

    /// A bearer token (RFC 6750 section 2.1); one that no header can carry fails each request.
    public static func bearer(_ token: Secret<String>) -> BoundAuthorizer { .custom(BearerAuthorizer(token)) }

    /// Digest authentication (RFC 7616): proves that it knows the password, which is never sent.
    ///
    /// The server's first challenge starts it, and costs one more request; from then on requests carry their proof at
    /// once. It knows MD5, SHA-256 and SHA-512-256, each with `-sess`, takes the strongest that is offered, and refuses
    /// an origin that asks for a weaker proof than before. If the server proves itself in turn (`rspauth`), a wrong
    /// proof fails the request; the proof of `auth-int`, which covers the body of the answer, is not checked. A body
    /// that is covered (`auth-int`) is read once more before it is sent.
    ///
    /// Setting one authorizer on several resources shares what it has learned.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - protectsBodies: Whether bodies are covered wherever the server can check that (`auth-int`), not only if it
    ///     must be so.
    /// - Returns: The authorizer.
    public static func digest(
        user: String,
        password: Secret<String>,
        protectsBodies: Bool = false
    ) -> BoundAuthorizer {
        .custom(DigestAuthorizer(user: user, password: password, protectsBodies: protectsBodies))
    }

    /// An API key in a header field: `.apiKey(key, header: "X-API-Key")`.
    ///
    /// The request's own field of that name takes precedence. Logs and `curl()` hide the key, whatever its field is called.
    public static func apiKey(_ key: Secret<String>, header name: Headers.Name) -> BoundAuthorizer {
        .custom(APIKeyAuthorizer(key, header: name))
    }

    /// An API key in the query; the request's own item of that name takes precedence.
    ///
    /// The key is added to each request when it is sent, so that redirects, `response.request` and errors don't have it.
    /// Servers and proxies may still write it to their logs, so prefer a header field where there is a choice. Logs and
    /// `curl()` hide it, whatever it is called.
    public static func apiKey(_ key: Secret<String>, query name: String) -> BoundAuthorizer {
        .custom(APIKeyAuthorizer(key, query: name))
    }

    /// Signs the query, or query and form: the MD5 of the sorted items and a secret, in an item of its own, which is the
    /// form's where there is one.
    ///
    /// So did Facebook's first interface, and some services do to this day: each item is written `name=value`, unescaped;
    /// they are sorted by name, joined without anything between them, and the secret stands at the end. Appended behind
    /// an API key in the query, it signs the key, too.
    ///
    /// - Parameters:
    ///   - secret: What only you and the service know.
    ///   - name: The signature's query item; one that the request has already is left alone.
    /// - Returns: The authorizer.
    public static func sortedParameters(secret: Secret<String>, signatureName name: String = "sig") -> BoundAuthorizer {
        .custom(SortedParametersAuthorizer(secret: secret, signatureName: name))
    }

    /// Asks a person, or a key chain, for user and password when a server wants them: once for all requests that wait.
    ///
    /// What was given is used for later requests, too, by Digest where the server offers it, else by Basic. Where it is
    /// refused, the question comes again, with its ``CredentialQuestion/attempt``. The answer `nil` gives up for all
    /// requests that wait for it; a later request asks again. Each origin has a question of its own: what was given for
    /// one is shown to no other.
    ///
    /// - Parameter ask: Gives a user and a password, or `nil` to give up; may take its time.
    /// - Returns: The authorizer.
    public static func prompting(
        _ ask: @escaping @Sendable (CredentialQuestion) async throws -> Credentials?
    ) -> BoundAuthorizer { .custom(PromptAuthorizer(ask)) }

    /// What a netrc file has for the origin's host, as Basic authentication.
    public static func netrc(_ file: NetrcFile) -> BoundAuthorizer { .custom(NetrcAuthorizer(file: file)) }

    /// Your own authorizer.
    public static func custom(_ authorizer: some Authorizer) -> BoundAuthorizer { BoundAuthorizer(authorizer) }
}
