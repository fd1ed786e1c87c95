// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for who sends the request.
struct AuthorizationOptions: ParsableArguments {
    @Option(
        name: [.customShort("a", allowingJoined: true), .long],
        help: ArgumentHelp("Credentials.", valueName: "user:pass|token")
    )
    var auth: String?

    @Option(
        name: [.customShort("A", allowingJoined: true), .long],
        help: ArgumentHelp("Their kind.", valueName: "basic|bearer")
    )
    var authType: String?

    @Flag(name: .long, help: "Print secrets of requests and heads.")
    var showSecrets = false

    /// What a command line without them says; each option has to be named here, or reading it is an error.
    static func none() -> AuthorizationOptions {
        var options = AuthorizationOptions()
        options.auth = nil
        options.authType = nil
        options.showSecrets = false
        return options
    }
}
