// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus login` and its help, interpreted by `LoginParser`.
struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus login",
        abstract: "Signs in with OAuth 2; later requests to the URL's origin send the token.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("URL.", visibility: .hidden))
    var words: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("The authorization server, which describes itself (RFC 8414).", valueName: "url")
    )
    var issuer: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Another origin whose addresses the issuer may name; repeatable.", valueName: "origin")
    )
    var share: [String] = []

    @Option(name: .long, help: ArgumentHelp("The address that issues tokens.", valueName: "url"))
    var tokens: String?

    @Option(name: .long, help: ArgumentHelp("The address at which you sign in, for codes.", valueName: "url"))
    var authorization: String?

    @Option(name: .long, help: ArgumentHelp("The address that issues device codes.", valueName: "url"))
    var device: String?

    @Option(name: .long, help: ArgumentHelp("The address that revokes tokens.", valueName: "url"))
    var revocation: String?

    @Option(name: .long, help: ArgumentHelp("The client's identifier.", valueName: "id"))
    var client: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Its secret, or env:NAME or @FILE.", valueName: "text")
    )
    var secret: String?

    @Flag(name: .long, help: "Send the secret in the body, for servers that don't take it as Basic.")
    var secretInBody = false

    @Option(name: .long, help: ArgumentHelp("The scope of the token.", valueName: "text"))
    var scope: String?

    @Option(
        name: .long,
        help: ArgumentHelp("code, device or client (client with --secret, else code).", valueName: "grant")
    )
    var grant: String?

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}

/// The grammar of `cumulus logout` and its help.
struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus logout",
        abstract: "Forgets the login for a URL's origin, and has the server revoke its tokens.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("URL.", visibility: .hidden))
    var words: [String] = []

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}
