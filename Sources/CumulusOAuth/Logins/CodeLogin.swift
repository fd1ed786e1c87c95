// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The client's side of an authorization code with PKCE (RFC 6749 section 4.1, RFC 7636).
struct CodeLogin: Sendable {
    let endpoints: OAuth2Endpoints
    let client: OAuth2Client
    let options: OAuth2Options
    private let state: Secret<String>
    private let key: CodeVerifier

    init(_ endpoints: OAuth2Endpoints, _ client: OAuth2Client, _ options: OAuth2Options) {
        self.endpoints = endpoints
        self.client = client
        self.options = options
        state = Secret(options.nonce(24))
        key = CodeVerifier(verifier: options.nonce(32))
    }

    /// Opens the browser for the login, waits for its redirect, and fetches the token.
    func run(
        _ channel: TokenChannel,
        _ receiver: any RedirectReceiver,
        _ present: @escaping @Sendable (String) async throws -> Void
    ) async throws -> JSON {
        guard let authorization = endpoints.authorization else {
            throw OAuth2Error(.unsupported, "the authorization server has no authorization endpoint")
        }
        let redirect = Mutex("")
        let query = try await limited(channel.clock) { [self] in
            try await receiver.receive(
                { isOurs($0) },
                { uri in
                    redirect.withLock { $0 = uri }
                    try await present(url(at: authorization, redirect: uri))
                }
            )
        }
        let code = try code(query)
        let fields = [
            ("grant_type", "authorization_code"), ("code", code.revealed),
            ("redirect_uri", redirect.withLock(\.self)), ("code_verifier", key.verifier.revealed),
        ]
        return try await channel.post(fields, to: endpoints.tokens, as: client)
    }

    /// The URL at which the person signs in.
    func url(at authorization: RequestURL, redirect: String) -> String {
        let fields =
            [
                ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect),
                ("state", state.revealed), ("code_challenge", key.challenge), ("code_challenge_method", "S256"),
            ] + options.fields
        let query = (authorization.query.map { $0.isEmpty ? "" : "\($0)&" } ?? "") + TokenChannel.form(fields)
        return "\(authorization.origin)\(authorization.path)?\(query)"
    }

    /// Whether a redirect belongs to this login: any web page may send a browser to the same port.
    func isOurs(_ query: Query) -> Bool {
        let states = values("state", in: query)
        return states.count == 1 && states.allSatisfy { state == $0 }
    }

    /// The code in a redirect.
    ///
    /// - Throws: ``OAuth2Error`` if it reports a refusal, or comes from another server (RFC 9207).
    func code(_ query: Query) throws(OAuth2Error) -> Secret<String> {
        guard isOurs(query) else { throw OAuth2Error(.mismatch, "the browser returned with another login's state") }
        let issuers = values("iss", in: query)
        if let issuer = endpoints.issuer, endpoints.namesIssuer || !issuers.isEmpty {
            guard issuers.count == 1, issuers.allSatisfy({ $0.utf8.elementsEqual(issuer.utf8) }) else {
                throw OAuth2Error(.mismatch, "the browser returned from a different authorization server")
            }
        }
        if let error = values("error", in: query).first {
            throw OAuth2Error(
                refusal: error,
                values("error_description", in: query).first,
                status: nil,
                hiding: QuotedSecrets([state.revealed] + values("code", in: query))
            )
        }
        let codes = values("code", in: query)
        guard codes.count == 1, let code = codes.first, !code.isEmpty else {
            throw TokenResponse.malformed("the browser returned without a code")
        }
        return Secret(code)
    }

    private func values(_ name: String, in query: Query) -> [String] {
        query.values(of: name).map { $0.string ?? "" }
    }

    private func limited<Output: Sendable>(
        _ clock: any RequestClock,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let end = clock.now + options.loginTimeout
        return try await withThrowingTaskGroup(of: Output.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await clock.sleep(until: end)
                throw OAuth2Error(.expired, "the user did not sign in within the time limit")
            }
            defer { group.cancelAll() }
            guard let output = try await group.next() else { throw CancellationError() }
            return output
        }
    }
}
