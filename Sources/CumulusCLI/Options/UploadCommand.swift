// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus upload` and its help, interpreted by `UploadParser`.
struct UploadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus upload",
        abstract: "Sends a file of any size, and prints the response.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("File, URL and items.", visibility: .hidden))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("The method (PUT).", valueName: "name"))
    var method: String?

    @OptionGroup(title: "Uploads that can be continued")
    var pieces: PieceOptions

    @OptionGroup
    var rates: RateOptions

    @Option(name: .long, help: ArgumentHelp("URL is a path below this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Flag(name: [.customShort("x"), .long], help: "Compress the file with gzip while it is sent.")
    var compress = false

    @Flag(name: .long, help: "Print the request and send nothing.")
    var offline = false

    @Flag(name: .long, help: "Print the request as a curl command and send nothing.")
    var curl = false

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Session")
    var session: SessionOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions
}
