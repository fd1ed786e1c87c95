// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus upload` and its help; what it means is worked out by `UploadParser`.
struct UploadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus upload",
        abstract: "Sends a file, whatever its size, and prints the answer.",
        usage: "cumulus upload FILE URL [ITEM ...] [options]",
        discussion: """
            The file is read while it is sent. Its type is known by its extension, unless \
            Content-Type:text names one. FILE is - for standard input, whose length nobody knows (it is \
            sent chunked). A file whose size changes while it is sent is an error.

            ITEMS are headers (Name:text) and query items (name==text), as for requests: cumulus --help. \
            A form with files is sent by cumulus -f URL name=text name@FILE.
            """,
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("File, URL and items.", visibility: .hidden))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("The method (PUT).", valueName: "name"))
    var method: String?

    @OptionGroup
    var pace: PaceOptions

    @Option(name: .long, help: ArgumentHelp("URL is a path under this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Flag(name: [.customShort("x"), .long], help: "Compress the file by gzip while it is sent.")
    var compress = false

    @Flag(name: .long, help: "Print the request, send nothing.")
    var offline = false

    @Flag(name: .long, help: "Print the request as a command for curl, send nothing.")
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
