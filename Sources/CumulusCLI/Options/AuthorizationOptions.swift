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
        help: ArgumentHelp("The kind of credentials: \(AuthorizationKind.names).", valueName: "kind")
    )
    var authType: String?

    @Flag(exclusivity: .chooseLast, help: "Require the netrc file, or ignore it.")
    var netrcUse: NetrcUse?

    @Flag(name: .long, help: "Print secrets in requests and heads.")
    var showSecrets = false

    /// What a command line without them says; each option has to be named here, or reading it is an error.
    static func none() -> AuthorizationOptions {
        var options = AuthorizationOptions()
        options.auth = nil
        options.authType = nil
        options.netrcUse = nil
        options.showSecrets = false
        return options
    }
}

/// What is done with the netrc file, where the command line says so.
enum NetrcUse: String, EnumerableFlag {
    /// It must be there, and fit to be used.
    case netrc
    /// It is not looked into.
    case ignoreNetrc
}
