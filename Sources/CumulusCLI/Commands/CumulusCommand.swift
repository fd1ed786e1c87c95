// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command line's grammar and its help; what it means is worked out by `PlanParser`.
struct CumulusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus",
        abstract: "Sends an HTTP request and prints the answer.",
        usage: """
            cumulus [METHOD] URL [ITEM ...] [options]
            cumulus download URL [-o FILE] [-c] ...       goes on where it ended: download --help
            cumulus upload FILE URL [ITEM ...] ...        files of any size: upload --help
            cumulus edit URL [ITEM ...] ...               in your editor: edit --help
            cumulus login URL --issuer URL --client ID    OAuth 2: login --help
            """,
        discussion: """
            ITEMS
              name=text     data: a member of a JSON object, or of a form with --form
              name:=json    data that is JSON: age:=36 tags:='["a","b"]'
              name==text    query item
              Name:text     header; Name: leaves it out, Name; sends it empty
              =@FILE :=@FILE ==@FILE :@FILE   the same, the value from a file
              name@FILE     a file, with -f: photo@cat.png;type=image/png;filename=x.png
              a[b][0][]=x   nested data; a backslash takes a separator's meaning away

            METHOD is GET, or POST where there is data. What is piped in is the body, unless items are data
            or a GET, HEAD, DELETE, OPTIONS or TRACE is named. http:// is meant for :PORT and localhost only.
            """,
        // `-h` prints headers, as in HTTPie.
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

    @Option(name: .long, help: ArgumentHelp("Tell what an exit code means.", valueName: "n"))
    var explainExit: String?
}

extension CumulusCommand {
    /// What a command line of words, without options, says; ArgumentParser would take milliseconds to find that out.
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
