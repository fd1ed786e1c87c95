// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus download` and its help; what it means is worked out by `DownloadParser`.
struct DownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus download",
        abstract: "Downloads files, and goes on where an earlier try ended.",
        usage: "cumulus download URL [ITEM ...] [options]\ncumulus download -i LIST [ITEM ...] [options]",
        discussion: """
            The bytes go to NAME.part beside the file, which appears when all of them are there and \
            checked. The name is the server's (Content-Disposition), else the URL's last part; -o names \
            a file, or a folder for it. A file that exists is never replaced unless --overwrite says so. \
            Ctrl-C keeps what has come and prints the command that goes on. With -c, a file that is \
            there already is left alone, and that is a success.

            ITEMS are headers (Name:text) and query items (name==text), as for requests: cumulus --help.
            """,
        helpNames: .shortAndLong
    )

    @Argument(help: ArgumentHelp("URL and items.", visibility: .hidden))
    var words: [String] = []

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("The file, or a folder for it.", valueName: "file|dir")
    )
    var output: String?

    @Flag(name: [.customShort("c"), .customLong("continue")], help: "Go on with what an earlier try has left.")
    var resumes = false

    @Option(
        name: [.customShort("x", allowingJoined: true), .long],
        help: ArgumentHelp("Connections for one file, where the server has ranges (1 to 16).", valueName: "n")
    )
    var connections: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("The same file elsewhere, which shares the work; may be given again.", valueName: "url")
    )
    var mirror: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("What the file must have: md5, sha1, sha256, sha384, sha512.", valueName: "alg:hex")
    )
    var checksum: String?

    @Flag(name: .long, help: "Give the file the time that the server names (Last-Modified).")
    var remoteTime = false

    @Flag(name: .long, help: "Replace a file that exists.")
    var overwrite = false

    @Option(
        name: [.customShort("i", allowingJoined: true), .long],
        help: ArgumentHelp("A file with a URL in each line, or - for standard input.", valueName: "list")
    )
    var list: String?

    @Option(name: .long, help: ArgumentHelp("Files of the list at a time (4).", valueName: "n"))
    var parallel: Int?

    @OptionGroup
    var pace: PaceOptions

    @Option(name: .long, help: ArgumentHelp("URL is a path under this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Flag(name: .shortAndLong, help: "No bar and no closing line; twice, no warnings either.")
    var quiet: Int

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Session")
    var session: SessionOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}
