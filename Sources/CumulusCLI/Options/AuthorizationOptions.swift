// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for who sends the request.
struct AuthorizationOptions: ParsableArguments {
    @Option(
        name: [.customShort("a", allowingJoined: true), .long],
        help: ArgumentHelp("Credentials, or a token or key; a secret may be env:NAME or @FILE.", valueName: "user:pass")
    )
    var auth: String?

    @Option(
        name: [.customShort("A", allowingJoined: true), .long],
        help: ArgumentHelp("Their kind: \(AuthorizationKind.names).", valueName: "kind")
    )
    var authType: String?

    @Flag(name: .long, help: "Insist on the netrc file: fail where it can't be used.")
    var netrc = false

    @Flag(name: .long, help: "Don't look into the netrc file.")
    var ignoreNetrc = false

    @Flag(name: .long, help: "Print secrets of requests and heads.")
    var showSecrets = false

    /// What a command line without them says; each option has to be named here, or reading it is an error.
    static func none() -> AuthorizationOptions {
        var options = AuthorizationOptions()
        options.auth = nil
        options.authType = nil
        options.netrc = false
        options.ignoreNetrc = false
        options.showSecrets = false
        return options
    }
}
