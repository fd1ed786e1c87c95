// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus cache` and its help, interpreted by `CachePlan`.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus cache",
        abstract: "Lists, shows and removes the responses that --cache keeps.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("What to do, and with which URL.", visibility: .hidden))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("The folder of the responses.", valueName: "folder"))
    var cache: String?
}
