// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for what is sent.
struct RequestOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Data is JSON (the default), and JSON is asked for.")
    var json = false

    @Flag(name: .shortAndLong, help: "Data is a form; with files it goes in parts.")
    var form = false

    @Flag(name: .long, help: "Data is a form in parts, even without files.")
    var multipart = false

    @Option(name: .long, help: ArgumentHelp("The text between the parts, instead of a random one.", valueName: "text"))
    var boundary: String?

    @Option(name: .long, help: ArgumentHelp("The body as it is.", valueName: "text"))
    var raw: String?

    @Flag(name: .long, help: "Ask for br and zstd, too.")
    var compressed = false

    @Flag(
        name: [.customShort("x"), .long],
        help: "Compress the body by gzip if it gets smaller; -xx always."
    )
    var compress: Int

    @Flag(name: .long, help: "Take no body from standard input.")
    var ignoreStdin = false

    @Option(name: .long, help: ArgumentHelp("URL is a path under this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Option(name: .long, help: ArgumentHelp("Print the items of so many pages of a list.", valueName: "n|all"))
    var pages: String?

    @Flag(name: .long, help: "Print the request, send nothing.")
    var offline = false

    @Flag(name: .long, help: "Print the request as a command for curl, send nothing.")
    var curl = false

    /// What a command line without them says; each option has to be named here, or reading it is an error.
    static func none() -> RequestOptions {
        var options = RequestOptions()
        options.json = false
        options.form = false
        options.multipart = false
        options.boundary = nil
        options.raw = nil
        options.compressed = false
        options.compress = 0
        options.ignoreStdin = false
        options.base = nil
        options.pages = nil
        options.offline = false
        options.curl = false
        return options
    }
}
