// SPDX-License-Identifier: Apache-2.0

/// The commands of a command line; a request has no word of its own.
enum Subcommand: String, CaseIterable, Sendable {
    case request
    case download
    case upload
    case events
    case call
    case services
    case edit
    case curl
    case login
    case logout
    case sessions
    case cache
    case config
    case trust
    case completions

    /// The commands that send requests of the user's own.
    static let sending: Set<Subcommand> = [.request, .call, .download, .upload, .events, .edit]
    /// The commands that print a response, whose headers `-h` selects; elsewhere `-h` is `--help`.
    static let printing: Set<Subcommand> = [.request, .call, .upload]
    /// The words that begin a command line.
    static let words: [String] = allCases.dropFirst().map(\.rawValue) + ["help"]

    /// Returns the command that a word begins; `nil` if it begins none.
    init?(word: String?) {
        guard let word, let command = Subcommand(rawValue: word), command != .request else { return nil }
        self = command
    }

    /// The words of the command, as a user writes them.
    var name: String { self == .request ? "cumulus" : "cumulus \(rawValue)" }

    var printsResponse: Bool { Subcommand.printing.contains(self) }
}
