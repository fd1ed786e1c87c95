// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for authorization.
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

    /// The options of a command line that has none; each has to be listed here, or reading it is an error.
    static func none() -> AuthorizationOptions {
        var options = AuthorizationOptions()
        options.auth = nil
        options.authType = nil
        options.netrcUse = nil
        options.showSecrets = false
        return options
    }
}

/// The use of the netrc file, if the command line sets it.
enum NetrcUse: String, EnumerableFlag {
    /// It must exist and be usable.
    case netrc
    /// It is not read.
    case ignoreNetrc
}

extension AuthorizationOptions {
    mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--netrc": netrcUse = .netrc
        case "--ignore-netrc": netrcUse = .ignoreNetrc
        case "--show-secrets": showSecrets = true
        default: return false
        }
        return true
    }

    mutating func takeOption(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--auth", "-a": auth.take(value)
        case "--auth-type", "-A": authType.take(value)
        default: false
        }
    }
}
