// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus services` and its help, interpreted by `ServicesParser`.
struct ServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus services",
        abstract: "Lists, shows, checks and adds the services that cumulus call knows.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("What to do, and with which service.", visibility: .hidden))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("Call the imported service so.", valueName: "name"))
    var name: String?

    @Option(name: .long, help: ArgumentHelp("The imported service's base URL.", valueName: "url"))
    var base: String?

    @Flag(name: .long, help: "Replace a service of this name.")
    var overwrite = false

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}
