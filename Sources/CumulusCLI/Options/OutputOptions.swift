// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for the output.
struct OutputOptions: ParsableArguments {
    /// How text is formatted.
    enum Pretty: String, ExpressibleByArgument, CaseIterable {
        case all
        case colors
        case format
        case none
    }

    @Flag(name: .shortAndLong, help: "Print only the response headers; -h alone is help.")
    var headers = false

    @Flag(name: .shortAndLong, help: "Print only the response body.")
    var body = false

    @Flag(name: .shortAndLong, help: "Print only times and addresses; with --json, as JSON.")
    var meta = false

    @Flag(name: .shortAndLong, help: "Print the request and redirects too; twice, times as well.")
    var verbose: Int

    @Flag(name: .long, help: "Print each redirect and retry too, with its body.")
    var all = false

    @Option(
        name: [.customShort("p", allowingJoined: true), .long],
        help: ArgumentHelp("What to print: HB request, hb response, m times.", valueName: "HBhbm")
    )
    var print: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Write the response body to a file.", valueName: "file")
    )
    var output: String?

    @Option(name: .long, help: ArgumentHelp("How to format the output.", valueName: "how"))
    var pretty: Pretty?

    @Option(name: .long, help: ArgumentHelp("Spaces for each level of JSON and XML (2).", valueName: "n"))
    var indent: Int?

    @Flag(name: .long, help: "Sort the members of JSON objects by name.")
    var sorted = false

    @Option(name: .long, help: ArgumentHelp("Colours: theme (the terminal's), dark, light, mono.", valueName: "name"))
    var style: ColorStyle?

    @Flag(name: .long, help: "Show images: kitty (PNG only), iTerm2, WezTerm.")
    var image = false

    @Flag(name: .long, help: "Never use a pager for what is longer than the screen.")
    var noPager = false

    @Option(
        name: [.customLong("as")],
        help: ArgumentHelp("Print a JSON response as json, yaml, csv or table.", valueName: "form")
    )
    var form: TableFormat?

    @Option(
        name: .long,
        help: ArgumentHelp("Print only these values of a JSON response: .items[].name", valueName: "path")
    )
    var filter: String?

    @Option(
        name: [.customShort("w", allowingJoined: true), .long],
        help: ArgumentHelp("Print this after the response: '{status} {time_total}'", valueName: "text")
    )
    var format: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The charset of the body, whatever the response says.", valueName: "charset")
    )
    var responseCharset: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The body's media type, whatever the response says.", valueName: "type")
    )
    var responseMime: String?

    @Flag(name: .shortAndLong, help: "Print only errors and warnings; twice, nothing.")
    var quiet: Int

    /// The options of a command line that has none; each has to be listed here, or reading it is an error.
    static func none() -> OutputOptions {
        var options = OutputOptions()
        options.headers = false
        options.body = false
        options.meta = false
        options.verbose = 0
        options.all = false
        options.print = nil
        options.output = nil
        options.pretty = nil
        options.indent = nil
        options.sorted = false
        options.style = nil
        options.image = false
        options.noPager = false
        options.form = nil
        options.filter = nil
        options.format = nil
        options.responseCharset = nil
        options.responseMime = nil
        options.quiet = 0
        return options
    }
}

extension OutputOptions {
    mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--headers", "-h": headers = true
        case "--body", "-b": body = true
        case "--meta", "-m": meta = true
        case "--verbose", "-v": verbose += 1
        case "--quiet", "-q": quiet += 1
        case "--all": all = true
        case "--sorted": sorted = true
        case "--image": image = true
        case "--no-pager": noPager = true
        default: return false
        }
        return true
    }

    mutating func takeOption(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--print", "-p": print.take(value)
        case "--output", "-o": output.take(value)
        case "--pretty": pretty.take(value)
        case "--indent": indent.take(value)
        case "--style": style.take(value)
        case "--as": form.take(value)
        case "--filter": filter.take(value)
        case "--format", "-w": format.take(value)
        case "--response-charset": responseCharset.take(value)
        case "--response-mime": responseMime.take(value)
        default: false
        }
    }
}
