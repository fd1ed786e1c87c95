// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The grammar of `cumulus download` and its help, interpreted by `DownloadParser`.
struct DownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus download",
        abstract: "Downloads files, and resumes earlier downloads.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("URL and items.", visibility: .hidden))
    var words: [String] = []

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("The file, or a folder for it.", valueName: "file|dir")
    )
    var output: String?

    @Flag(name: [.customShort("c"), .customLong("continue")], help: "Continue an earlier download, or a shorter file.")
    var resumes = false

    @Option(
        name: [.customShort("x", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Connections for one file, 1 to 16 (default: up to 6, as long as each makes it faster).",
            valueName: "n"
        )
    )
    var connections: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Digest the file must have: md5, sha1, sha256, sha384, sha512.", valueName: "alg:hex")
    )
    var checksum: String?

    @Flag(name: .long, help: "Give the file the server's time (Last-Modified).")
    var remoteTime = false

    @Flag(name: .long, help: "Replace a file that exists.")
    var overwrite = false

    @Option(
        name: [.customShort("i", allowingJoined: true), .long],
        help: ArgumentHelp("A file with one URL per line; - is standard input.", valueName: "list")
    )
    var list: String?

    @Option(name: .long, help: ArgumentHelp("How many files at a time (4).", valueName: "n"))
    var parallel: Int?

    @OptionGroup
    var rates: RateOptions

    @Option(name: .long, help: ArgumentHelp("URL is a path below this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Flag(name: .shortAndLong, help: "No progress and no summary; twice, nothing at all.")
    var quiet: Int

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Session")
    var session: SessionOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}
