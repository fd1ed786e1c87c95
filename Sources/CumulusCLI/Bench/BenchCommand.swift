// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus bench`, interpreted by `BenchParser`.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus bench",
        abstract: "Sends the same request many times, and tells how long the answers took.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("Method, URL and items.", visibility: .hidden))
    var words: [String] = []

    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("How many requests (1000).", valueName: "n"))
    var requests: Int?

    @Option(name: [.customShort("c"), .long], help: ArgumentHelp("How many at a time (10).", valueName: "n"))
    var concurrency: Int?

    @Option(
        name: [.customShort("d"), .long],
        help: ArgumentHelp("Stop after so long, however many were sent.", valueName: "seconds")
    )
    var duration: Double?

    @Flag(name: .shortAndLong, help: "Data is JSON (the default).")
    var json = false

    @Flag(name: .shortAndLong, help: "Data is a form.")
    var form = false

    @Flag(name: .long, help: "Print the result as JSON.")
    var report = false

    @Option(name: .long, help: ArgumentHelp("URL is a path below this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Session")
    var session: SessionOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}
