// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CumulusCore

/// The grammar of `cumulus edit` and its help, interpreted by `EditParser`.
struct EditCommand: ParsableCommand {
    /// How the change is sent.
    enum Method: String, ExpressibleByArgument, CaseIterable {
        case put
        case mergePatch = "merge-patch"
    }

    static let configuration = CommandConfiguration(
        commandName: "cumulus edit",
        abstract: "Opens a document in your editor, and writes what you changed.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("URL and items.", visibility: .hidden))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("Send all of it (put), or the members that differ.", valueName: "how"))
    var by = Method.put

    @Flag(name: .shortAndLong, help: "Write without asking.")
    var yes = false

    @Flag(name: .long, help: "Send a weak entity tag, too, for services that compare them (OData).")
    var weakTag = false

    @Option(name: .long, help: ArgumentHelp("URL is a path under this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Flag(name: .shortAndLong, help: "Print only errors and questions.")
    var quiet = false

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Session")
    var session: SessionOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}
