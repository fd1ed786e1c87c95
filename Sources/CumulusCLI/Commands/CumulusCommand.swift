// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command line's grammar and its help, interpreted by `PlanParser`.
struct CumulusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus",
        abstract: "Sends an HTTP request and prints the response.",
        // `-h` prints headers, as in HTTPie; alone it prints help, which `Invocation` handles.
        helpNames: .long
    )

    @Argument(help: ArgumentHelp("Method, URL and items.", visibility: .hidden))
    var words: [String] = []

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

    @Flag(name: .long, help: "Show the version.")
    var version = false

    @Option(name: .long, help: ArgumentHelp("Explain an exit code.", valueName: "n"))
    var explainExit: String?
}

extension CumulusCommand {
    /// The command for words without options; each option has to be listed here, or reading it is an error.
    static func bare(_ words: [String]) -> CumulusCommand {
        var command = CumulusCommand()
        command.words = words
        command.request = .none()
        command.authorization = .none()
        command.session = .none()
        command.connection = .none()
        command.output = .none()
        command.version = false
        command.explainExit = nil
        return command
    }
}
