// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CumulusCore

/// The grammar of `cumulus events` and its help, interpreted by `EventsParser`.
struct EventsCommand: ParsableCommand {
    /// When another connection follows the end of one.
    enum Reconnecting: String, ExpressibleByArgument, CaseIterable {
        case auto
        case always
        case get
        case never

        var rule: Reconnection {
            switch self {
            case .auto: .automatic
            case .always: .always
            case .get: .byGet
            case .never: .never
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "cumulus events",
        abstract: "Prints server-sent events as they arrive.",
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("Method, URL and items.", visibility: .hidden))
    var words: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Print only these values of the data, which is JSON: .items[].name", valueName: "path")
    )
    var filter: String?

    @Flag(name: .long, help: "Print texts one after another, without line ends between them.")
    var join = false

    @Flag(name: .shortAndLong, help: "Print each event as a JSON object of its type, ID and data.")
    var meta = false

    @Option(name: .long, help: ArgumentHelp("Print only events of this type; repeatable.", valueName: "name"))
    var event: [String] = []

    @Option(name: .long, help: ArgumentHelp("End with the event whose data is this text: '[DONE]'", valueName: "text"))
    var until: String?

    @Option(name: .long, help: ArgumentHelp("Continue after the event with this ID.", valueName: "id"))
    var lastEventId: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Connect again after a silence of this time (no limit).", valueName: "seconds")
    )
    var heartbeat: Double?

    @Option(name: .long, help: ArgumentHelp("When to connect again: after a GET (auto), or ...", valueName: "how"))
    var reconnect = Reconnecting.auto

    @Flag(name: .shortAndLong, help: "Data is a form.")
    var form = false

    @Option(name: .long, help: ArgumentHelp("This text is the body.", valueName: "text"))
    var raw: String?

    @Flag(name: .long, help: "Do not read the body from standard input.")
    var ignoreStdin = false

    @Option(name: .long, help: ArgumentHelp("URL is a path below this one (or CUMULUS_BASE).", valueName: "url"))
    var base: String?

    @Flag(name: .shortAndLong, help: "Do not report reconnecting; twice, print nothing but events.")
    var quiet: Int

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Session")
    var session: SessionOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions
}
