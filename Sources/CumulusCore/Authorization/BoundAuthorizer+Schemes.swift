// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension BoundAuthorizer {
    /// Creates an authorizer for Basic authentication (RFC 7617) in UTF-8.
    ///
    /// Basic authentication reveals the password to the server, so use https.
    ///
    /// The credentials are sent with the first request or, if `whenAsked` is true, once the server has requested them.
    /// A user name can't contain a colon.
    ///
    /// The user and password are sent unchanged. RFC 7617 section 2.1 requires Unicode Normalization Form C (NFC),
    /// which text from a keyboard usually has; Foundation's `precomposedStringWithCanonicalMapping` converts to it.
    public static func basic(user: String, password: Secret<String>, whenAsked: Bool = false) -> BoundAuthorizer {
        whenAsked
            ? .custom(ChallengedBasicAuthorizer(Credentials(user: user, password: password)))
            : .custom(BasicAuthorizer(user: user, password: password))
    }

    /// Creates an authorizer that sends a bearer token (RFC 6750 section 2.1).
    ///
    /// A token that isn't allowed in a header fails each request.
    public static func bearer(_ token: Secret<String>) -> BoundAuthorizer { .custom(BearerAuthorizer(token)) }

    /// Creates an authorizer for Digest authentication (RFC 7616), which authenticates with the password without
    /// sending it.
    ///
    /// It starts with the server's first challenge, which costs one additional request. From then on, requests are sent
    /// with credentials. It supports MD5, SHA-256 and SHA-512-256, each with `-sess`, uses the strongest algorithm that
    /// is offered, and refuses an origin that requests weaker credentials than before. If the server authenticates
    /// itself (`rspauth`), an incorrect value fails the request: immediately, or at the body's end if the value covers
    /// the body (`auth-int`), which downloads don't check. If the credentials cover a request's body, the body is read
    /// once more before it is sent.
    ///
    /// Each attempt has its own count (`nc`). A body that is sent again after 417 repeats the count, which a strict
    /// server refuses.
    ///
    /// If one authorizer is set on several resources, they share its state.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    ///   - protectsBodies: Whether the credentials cover bodies whenever the server supports that (`auth-int`), not
    ///     only when the server requires it.
    /// - Returns: The authorizer.
    public static func digest(
        user: String,
        password: Secret<String>,
        protectsBodies: Bool = false
    ) -> BoundAuthorizer {
        .custom(DigestAuthorizer(user: user, password: password, protectsBodies: protectsBodies))
    }

    /// Creates an authorizer that sends an API key in a header field: `.apiKey(key, header: "X-API-Key")`.
    ///
    /// The key may include a scheme: `.apiKey("Token 9944b09199c6", header: .authorization)`. The request's own field
    /// with that name takes precedence. Logs and `curl()` hide the key, regardless of the field's name.
    public static func apiKey(_ key: Secret<String>, header name: Headers.Name) -> BoundAuthorizer {
        .custom(APIKeyAuthorizer(key, header: name))
    }

    /// Creates an authorizer that sends an API key in the query; the request's own item with that name takes
    /// precedence.
    ///
    /// The key is added to each request when it is sent, so redirects, `response.request` and errors don't contain it.
    /// Servers and proxies may still write it to their logs, so prefer a header field if there is a choice. Logs and
    /// `curl()` hide the key, regardless of the item's name.
    public static func apiKey(_ key: Secret<String>, query name: String) -> BoundAuthorizer {
        .custom(APIKeyAuthorizer(key, query: name))
    }

    /// Creates an authorizer that signs the query, or the query and the form, with the MD5 of the sorted items and a
    /// secret.
    ///
    /// The signature is an additional item, in the form if there is one.
    ///
    /// Facebook's first API did this, and some services still do: each item is written `name=value`, unescaped; the
    /// items are sorted by name and joined without separators, and the secret follows. If this authorizer is appended
    /// after an API key in the query, the signature covers the key as well.
    ///
    /// - Parameters:
    ///   - secret: The secret shared with the service.
    ///   - name: The signature's query item; an existing one is left unchanged.
    /// - Returns: The authorizer.
    public static func sortedParameters(secret: Secret<String>, signatureName name: String = "sig") -> BoundAuthorizer {
        .custom(SortedParametersAuthorizer(secret: secret, signatureName: name))
    }

    /// Prompts a user, or reads a keychain, for a user and password when a server requires them, once for all waiting
    /// requests.
    ///
    /// The result is also used for later requests, with Digest if the server offers it, otherwise with Basic. If the
    /// server refuses the credentials, `ask` is called again, with the next ``CredentialRequest/attempt``. If `ask`
    /// returns `nil`, all requests that wait for it end with the refusal; a later request calls it again. Each origin
    /// has its own credentials, which are never sent to a different origin.
    ///
    /// - Parameter ask: A closure that returns a user and a password, or `nil` to end the requests with the refusal; it
    ///   may take a long time.
    /// - Returns: The authorizer.
    public static func prompting(
        _ ask: @escaping @Sendable (CredentialRequest) async throws -> Credentials?
    ) -> BoundAuthorizer { .custom(PromptAuthorizer(ask)) }

    /// Creates an authorizer for Basic authentication with the netrc file's entry for the origin's host.
    public static func netrc(_ file: NetrcFile) -> BoundAuthorizer { .custom(NetrcAuthorizer(file: file)) }

    /// Creates a bound authorizer from your own authorizer.
    public static func custom(_ authorizer: some Authorizer) -> BoundAuthorizer { BoundAuthorizer(authorizer) }
}

/// The error if a server only accepts schemes that authenticate a connection instead of a request.
struct UnsupportedSchemes: CodedProblem {
    private static let known = ["Negotiate", "NTLM", "Kerberos"]

    let description: String

    /// `nil` if the server offers another scheme, or none.
    init?(_ challenges: [AuthenticationChallenge]) {
        let offered = challenges.map { challenge in Self.known.first(where: challenge.isScheme) }
        guard !offered.isEmpty, !offered.contains(nil) else { return nil }
        description =
            "the server requires \(offered.compactMap(\.self).joined(separator: " or ")), which Cumulus does not support; "
            + "use a proxy such as cntlm, or another way to sign in"
    }

    var code: CumulusError.Code { .unsupported }

    /// The message that a scheme is not among the offered ones.
    static func missing(_ scheme: String, among challenges: [AuthenticationChallenge]) -> String {
        guard !challenges.isEmpty else { return "the server's response contains no valid challenge" }
        let offered = challenges.prefix(4).map { PeerText.printable($0.scheme, limit: 40) }
        return "the server offers \(offered.joined(separator: ", ")), not \(scheme)"
    }
}
