// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for the request.
struct RequestOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Data is JSON (the default); asks for JSON too.")
    var json = false

    @Flag(name: .shortAndLong, help: "Data is a form; with files it is multipart.")
    var form = false

    @Flag(name: .long, help: "Data is a multipart form, even without files.")
    var multipart = false

    @Option(name: .long, help: ArgumentHelp("The multipart delimiter (default: random).", valueName: "text"))
    var boundary: String?

    @Option(name: .long, help: ArgumentHelp("This text is the body.", valueName: "text"))
    var raw: String?

    @Flag(name: .long, help: "Accept Brotli and Zstandard too.")
    var compressed = false

    @Flag(
        name: [.customShort("x"), .long],
        help: "Compress the body with gzip if that makes it smaller; -xx always."
    )
    var compress: Int

    @Flag(name: .long, help: "Send the body in chunks, without its length.")
    var chunked = false

    @Flag(name: .long, help: "Do not read the body from standard input.")
    var ignoreStdin = false

    @Flag(name: .long, help: "Send a method that looks misspelt without asking.")
    var anyMethod = false

    @Option(name: .long, help: ArgumentHelp("URL is a path below this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Option(name: .long, help: ArgumentHelp("Print the items of this many pages of a list.", valueName: "n|all"))
    var pages: String?

    @Option(
        name: .long,
        help: ArgumentHelp("How the list is paged, such as 'cursor at=next query=after'.", valueName: "rule")
    )
    var paging: String?

    @Flag(name: .long, help: "Print the request and send nothing.")
    var offline = false

    @Flag(name: .long, help: "Print the request as a curl command and send nothing.")
    var curl = false

    /// The options of a command line that has none; each has to be listed here, or reading it is an error.
    static func none() -> RequestOptions {
        var options = RequestOptions()
        options.json = false
        options.form = false
        options.multipart = false
        options.boundary = nil
        options.raw = nil
        options.compressed = false
        options.compress = 0
        options.chunked = false
        options.ignoreStdin = false
        options.anyMethod = false
        options.base = nil
        options.pages = nil
        options.paging = nil
        options.offline = false
        options.curl = false
        return options
    }
}

extension RequestOptions {
    mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--json", "-j": json = true
        case "--form", "-f": form = true
        case "--multipart": multipart = true
        case "--compressed": compressed = true
        case "--compress", "-x": compress += 1
        case "--chunked": chunked = true
        case "--ignore-stdin": ignoreStdin = true
        case "--any-method": anyMethod = true
        case "--offline": offline = true
        case "--curl": curl = true
        default: return false
        }
        return true
    }

    mutating func takeOption(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--boundary": boundary.take(value)
        case "--raw": raw.take(value)
        case "--base": base.take(value)
        case "--pages": pages.take(value)
        case "--paging": paging.take(value)
        default: false
        }
    }
}
