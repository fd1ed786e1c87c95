// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus config",
        abstract: "Shows what the configuration files set.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("show or path, and a URL.", visibility: .hidden))
    var words: [String] = []

    @Flag(name: .long, help: "Tell the file and line of each setting.")
    var origin = false

    @Option(name: .long, help: ArgumentHelp("With the settings of this profile.", valueName: "name"))
    var profile: String?
}

/// The grammar of `cumulus trust`.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus trust",
        abstract: "Trusts the file .cumulus.toml of this folder, as it is now.",
        helpNames: .long
    )

    @Flag(name: .shortAndLong, help: "Trust it without asking.")
    var yes = false

    @Flag(name: .long, help: "Stop trusting it.")
    var remove = false
}
