// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CumulusServices

/// The grammar of `cumulus call` and its help, interpreted by `CallParser`.
struct CallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus call",
        abstract: "Calls an endpoint of a service by its name.",
        helpNames: .long
    )

    @Argument(
        help: ArgumentHelp("Service, endpoint and items.", visibility: .hidden),
        completion: .custom { CallCompletion.custom($0, $1, $2) }
    )
    var words: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Call it at this one of the service's servers, by name or URL.", valueName: "name|url")
    )
    var server: String?

    @OptionGroup(title: "Request")
    var request: RequestOptions

    @OptionGroup(title: "Authorization")
    var authorization: AuthorizationOptions

    @OptionGroup(title: "Session")
    var session: SessionOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions
}
