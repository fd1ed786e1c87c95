// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusOAuth

/// Interprets the words and options of `cumulus login` and `cumulus logout`.
struct LoginParser {
    private static let usage = "write cumulus login URL --issuer URL --client ID"

    private let surroundings: Surroundings

    init(in surroundings: Surroundings) { self.surroundings = surroundings }

    /// The plan of a login.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func login(_ arguments: Arguments) throws(UsageMistake) -> (LoginPlan, SavedLogin) {
        let request = try request(arguments, hint: LoginParser.usage)
        guard let id = arguments.client, !id.isEmpty else {
            throw UsageMistake("missing --client ID", hint: LoginParser.usage)
        }
        var secret: Secret<String>?
        if let word = arguments.secret {
            secret = try SecretWord(of: \.secret, arguments, in: surroundings).secret(word)
        }
        let login = SavedLogin(
            origin: request.target.origin,
            server: try server(arguments),
            shared: try shared(arguments),
            client: OAuth2Client(id: id, secret: secret, authentication: arguments.secretInBody ? .body : nil),
            isClientLogin: try grant(arguments) == .client,
            scope: arguments.scope
        )
        return (LoginPlan(request: request, grant: try grant(arguments), folder: try folder()), login)
    }

    /// The plan of a logout.
    func logout(_ arguments: Arguments) throws(UsageMistake) -> LoginPlan {
        let request = try request(arguments, hint: "write cumulus logout URL")
        return LoginPlan(request: request, grant: .code, folder: try folder())
    }

    private func request(
        _ arguments: Arguments,
        hint: String
    ) throws(UsageMistake) -> Plan {
        guard let url = arguments.words.first else { throw UsageMistake("missing URL", hint: hint) }
        guard arguments.words.count == 1 else {
            throw UsageMistake("this command takes one URL and no items", hint: hint)
        }
        var request = arguments.only(.connection)
        request.ignoreStdin = true
        var plan = try PlanParser(request, in: surroundings).plan(
            ("GET", url, []),
            use: "a login sends no data",
            hint: hint
        )
        // The new login is independent of an existing login and of a user in the URL.
        plan.identity = nil
        return plan
    }

    private func grant(_ arguments: Arguments) throws(UsageMistake) -> LoginPlan.Grant {
        guard let grant = arguments.grant else { return arguments.secret == nil ? .code : .client }
        if grant == .client, arguments.secret == nil {
            throw UsageMistake("--grant client needs the client's secret", hint: "write --secret env:NAME")
        }
        return grant
    }

    private func server(_ arguments: Arguments) throws(UsageMistake) -> SavedLogin.Server {
        switch (arguments.issuer, arguments.tokens) {
        case (let issuer?, nil): return .issuer(URLShorthand.address(issuer))
        case (nil, let tokens?):
            return .endpoints(
                tokens: URLShorthand.address(tokens),
                authorization: arguments.authorization.map(URLShorthand.address),
                device: arguments.device.map(URLShorthand.address),
                revocation: arguments.revocation.map(URLShorthand.address)
            )
        default: throw UsageMistake("missing --issuer URL or --tokens URL", hint: LoginParser.usage)
        }
    }

    private func shared(_ arguments: Arguments) throws(UsageMistake) -> [Origin] {
        if !arguments.share.isEmpty, arguments.issuer == nil {
            throw UsageMistake("--share applies only to --issuer, not to --tokens")
        }
        var origins: [Origin] = []
        for word in arguments.share {
            let url = try URLShorthand(parsing: word)
            guard url.url.path == "/", url.query == nil, url.user == nil else {
                throw UsageMistake(
                    "--share takes an origin, not \(quotedURL(word))",
                    hint: "write --share \(url.url.origin)"
                )
            }
            origins.append(url.url.origin)
        }
        return origins
    }

    private func folder() throws(UsageMistake) -> LoginFolder {
        guard let folder = LoginFolder(surroundings.environment) else {
            throw UsageMistake("logins can't be saved: neither XDG_STATE_HOME nor HOME is set")
        }
        return folder
    }
}
