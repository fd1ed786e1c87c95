// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusOAuth

/// Interprets the words and options of `cumulus login` and `cumulus logout`.
struct LoginParser {
    private static let usage = "cumulus login URL --issuer URL --client ID"

    private let surroundings: Surroundings

    init(in surroundings: Surroundings) { self.surroundings = surroundings }

    /// The plan of a login.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan(_ command: LoginCommand) throws(UsageMistake) -> (LoginPlan, SavedLogin) {
        let request = try request(command.words, command.connection, hint: LoginParser.usage)
        guard let id = command.client, !id.isEmpty else {
            throw UsageMistake("there is no client", hint: LoginParser.usage)
        }
        var secret: Secret<String>?
        if let word = command.secret { secret = try SecretWord(of: "--secret", in: surroundings).secret(word) }
        let login = SavedLogin(
            origin: request.target.origin,
            server: try server(command),
            shared: try shared(command),
            client: OAuth2Client(id: id, secret: secret, authentication: command.secretInBody ? .body : nil),
            isClientLogin: try grant(command) == .client,
            scope: command.scope
        )
        return (LoginPlan(request: request, grant: try grant(command), folder: try folder()), login)
    }

    /// The plan of a logout.
    func plan(_ command: LogoutCommand) throws(UsageMistake) -> LoginPlan {
        let request = try request(command.words, command.connection, hint: "cumulus logout URL")
        return LoginPlan(request: request, grant: .code, folder: try folder())
    }

    private func request(
        _ words: [String],
        _ connection: ConnectionOptions,
        hint: String
    ) throws(UsageMistake) -> Plan {
        guard let url = words.first else { throw UsageMistake("there is no URL", hint: hint) }
        guard words.count == 1 else { throw UsageMistake("give one URL and no items", hint: hint) }
        var request = CumulusCommand.bare([])
        request.request.ignoreStdin = true
        request.connection = connection
        var plan = try PlanParser(request, in: surroundings).plan(
            ("GET", url, []),
            use: "a login sends none",
            hint: hint
        )
        // The new login is independent of an existing login and of a user in the URL.
        plan.identity = nil
        return plan
    }

    private func grant(_ command: LoginCommand) throws(UsageMistake) -> LoginPlan.Grant {
        guard let name = command.grant else { return command.secret == nil ? .code : .client }
        guard let grant = LoginPlan.Grant(rawValue: name) else {
            let names = LoginPlan.Grant.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageMistake("--grant takes one of \(names), not \(quoted(name))")
        }
        if grant == .client, command.secret == nil {
            throw UsageMistake("--grant client needs the client's secret", hint: "--secret env:NAME")
        }
        return grant
    }

    private func server(_ command: LoginCommand) throws(UsageMistake) -> SavedLogin.Server {
        switch (command.issuer, command.tokens) {
        case (let issuer?, nil): return .issuer(issuer)
        case (nil, let tokens?):
            return .endpoints(
                tokens: tokens,
                authorization: command.authorization,
                device: command.device,
                revocation: command.revocation
            )
        case (nil, nil): throw UsageMistake("there is no source of tokens", hint: LoginParser.usage)
        default: throw UsageMistake("--issuer and --tokens can't be combined")
        }
    }

    private func shared(_ command: LoginCommand) throws(UsageMistake) -> [Origin] {
        if !command.share.isEmpty, command.issuer == nil {
            throw UsageMistake("--share is for --issuer, and --tokens names the address itself")
        }
        var origins: [Origin] = []
        for word in command.share {
            let url = try URLShorthand(parsing: word)
            guard url.url.path == "/", url.query == nil, url.user == nil else {
                throw UsageMistake(
                    "--share takes an origin, not \(quotedURL(word))",
                    hint: "--share \(url.url.origin)"
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
