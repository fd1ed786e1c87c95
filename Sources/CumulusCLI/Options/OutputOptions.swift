// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for what is printed.
struct OutputOptions: ParsableArguments {
    /// What becomes of the text.
    enum Pretty: String, ExpressibleByArgument, CaseIterable {
        case all
        case colors
        case format
        case none
    }

    @Flag(name: .shortAndLong, help: "Print only the response's headers.")
    var headers = false

    @Flag(name: .shortAndLong, help: "Print only the response's body.")
    var body = false

    @Flag(name: .shortAndLong, help: "Print only times and addresses.")
    var meta = false

    @Flag(name: .shortAndLong, help: "Print the request too; twice, its times as well.")
    var verbose: Int

    @Option(
        name: [.customShort("p", allowingJoined: true), .long],
        help: ArgumentHelp("Parts: HB request, hb response, m times.", valueName: "HBhbm")
    )
    var print: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Write the response's body to a file.", valueName: "file")
    )
    var output: String?

    @Option(name: .long, help: ArgumentHelp("What becomes of the text.", valueName: "how"))
    var pretty: Pretty?

    @Option(name: .long, help: ArgumentHelp("The charset that the body is in.", valueName: "charset"))
    var responseCharset: String?

    @Option(name: .long, help: ArgumentHelp("The media type that the body is.", valueName: "type"))
    var responseMime: String?

    @Flag(name: .shortAndLong, help: "Print nothing but errors and warnings; twice, errors only.")
    var quiet: Int

    /// What a command line without them says; each option has to be named here, or reading it is an error.
    static func none() -> OutputOptions {
        var options = OutputOptions()
        options.headers = false
        options.body = false
        options.meta = false
        options.verbose = 0
        options.print = nil
        options.output = nil
        options.pretty = nil
        options.responseCharset = nil
        options.responseMime = nil
        options.quiet = 0
        return options
    }
}
